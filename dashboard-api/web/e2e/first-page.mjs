// Opens the first page in a browser that has never been there, and tells how long it took, as JSON on
// stdout. For the benchmark.
//
//   node first-page.mjs URL TIMES [TOKEN]
//
// Each time it is a browser of its own, with an empty cache. Answer: a list of
//   { controlsMs:   until the page's frame and its controls are there,
//     headlineMs:   until the first numbers are, all from the start of the navigation,
//     allMs:        until every panel has its numbers,
//     bytes:        what the page's own files weighed,
//     requests:     the API's addresses that it asked }
// Exit: 0 all done; 2 wrong usage; 3 no browser found; 4 it did not load.
import { fail, read, withPage } from "./browser.mjs";

const [url, times, token, ...rest] = process.argv.slice(2);
if (url === undefined || !/^\d+$/.test(times ?? "") || rest.length > 0) {
  fail(2, "Give the page's URL, how often, and a token if it needs one");
}

/** Runs in the page before its own scripts: notes when something is there for the first time. */
function watchPage() {
  const there = {
    controlsMs: () => document.querySelector("nav a[href]") !== null,
    headlineMs: () => /\d/.test(document.querySelector("[data-testid='calls']")?.textContent ?? ""),
    allMs: () => {
      const panels = [...document.querySelectorAll("section[data-state]")];
      return panels.length > 1 && panels.every((panel) => panel.dataset.state !== "loading");
    },
  };
  globalThis.seenAt = {};
  const look = () => {
    for (const [name, isThere] of Object.entries(there)) {
      if (globalThis.seenAt[name] === undefined && isThere()) {
        globalThis.seenAt[name] = performance.now();
      }
    }
    if (Object.keys(globalThis.seenAt).length < Object.keys(there).length) {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

const answers = [];
for (let i = 0; i < Number(times); i++) {
  await withPage(60_000, async (page) => {
    const requests = [];
    let bytes = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/api/")) {
        requests.push(request.url());
      }
    });
    page.on("requestfinished", async (request) => {
      if (/\/(assets\/.*)?$/.test(new URL(request.url()).pathname)) {
        bytes += (await request.sizes()).responseBodySize;
      }
    });
    if (token !== undefined) {
      await page.context().request.post(new URL("/api/v1/session", url).href, {
        data: { token },
        headers: { origin: new URL(url).origin },
      });
    }
    await page.addInitScript(watchPage);
    await page.goto(url);
    await page
      .waitForFunction(() => Object.keys(globalThis.seenAt).length === 3)
      .catch(async (error) => {
        const { panels, texts } = await read(page);
        throw new Error(`${error.message}; panels ${JSON.stringify(panels)}, calls ${texts.calls}`);
      });
    const seenAt = await page.evaluate(() => globalThis.seenAt);
    answers.push({ ...seenAt, bytes, requests });
  }).catch((error) => fail(4, String(error)));
}
process.stdout.write(`${JSON.stringify(answers, null, 2)}\n`);
