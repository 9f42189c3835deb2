// Opens the page in a real browser and tells what a person would see, as JSON on stdout.
//
//   node read-page.mjs URL [--screenshot SCHEME:WIDTH:FILE]... [--click TESTID]... [--expect TESTID=TEXT]...
//                      [--timeout-ms N]
//
//   --screenshot  a PNG of the whole page: SCHEME light or dark, WIDTH in CSS pixels; repeatable
//   --click       clicks the element with that data-testid once the page has loaded; repeatable
//   --expect      waits until that element has this text; repeatable
//   --timeout-ms  how long any wait may take, 30000 unless given
//
// The browser is $CAPACITY_CHROMIUM, or the first Chrome or Chromium in the usual places.
//
// Answer: { url, title,
//           panels:  { id: "whole" | "partial" | "empty" | "error" },
//           texts:   { data-testid: text },      as shown, for example "1,805"
//           values:  { data-testid: data-value }, unformatted, "" where there is no number
//           console: [text of each error and warning],
//           requestsElsewhere: [addresses at other hosts] }
// Exit: 0 answered; 2 wrong usage; 3 no browser found; 4 the page did not load, or an --expect never
// came true (the answer is still written).
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

function fail(code, message) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function options(args) {
  const found = { url: null, screenshots: [], clicks: [], expects: [], timeoutMs: 30_000 };
  for (let i = 0; i < args.length; i++) {
    const value = () => args[++i] ?? fail(2, `${args[i - 1]} needs a value`);
    switch (args[i]) {
      case "--screenshot": {
        const [, scheme, width, file] = /^(light|dark):(\d+):(.+)$/.exec(value()) ?? [];
        if (file === undefined) {
          fail(2, "--screenshot takes SCHEME:WIDTH:FILE, for example dark:1280:page.png");
        }
        found.screenshots.push({ scheme, width: Number(width), file });
        break;
      }
      case "--click":
        found.clicks.push(value());
        break;
      case "--expect": {
        const text = value();
        const at = text.indexOf("=");
        if (at < 1) {
          fail(2, "--expect takes TESTID=TEXT");
        }
        found.expects.push([text.slice(0, at), text.slice(at + 1)]);
        break;
      }
      case "--timeout-ms":
        found.timeoutMs = Number(value());
        break;
      default:
        if (found.url !== null || args[i].startsWith("--")) {
          fail(2, `${args[i]} is not understood: see the head of read-page.mjs`);
        }
        found.url = args[i];
    }
  }
  return found.url === null ? fail(2, "Give the page's URL") : found;
}

function browserPath() {
  const given = process.env.CAPACITY_CHROMIUM;
  for (const path of given ? [given] : USUAL_PLACES) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next place.
    }
  }
  return fail(
    3,
    given
      ? `CAPACITY_CHROMIUM is ${given}, which can't be run`
      : "No Chrome or Chromium found: install one, or name it in CAPACITY_CHROMIUM",
  );
}

async function loaded(page, timeoutMs) {
  await page.waitForFunction(
    () => {
      const panels = [...document.querySelectorAll("section[data-state]")];
      return panels.length > 0 && panels.every((panel) => panel.dataset.state !== "loading");
    },
    undefined,
    { timeout: timeoutMs },
  );
}

async function expectText(page, testId, text, timeoutMs) {
  await page.waitForFunction(
    ([id, wanted]) =>
      [...document.querySelectorAll("[data-testid]")].some(
        (element) => element.dataset.testid === id && element.textContent.trim() === wanted,
      ),
    [testId, text],
    { timeout: timeoutMs },
  );
}

function read() {
  const answer = { panels: {}, texts: {}, values: {} };
  for (const panel of document.querySelectorAll("section[data-state]")) {
    answer.panels[panel.id] = panel.dataset.state;
  }
  for (const element of document.querySelectorAll("[data-testid]")) {
    answer.texts[element.dataset.testid] = element.textContent.trim();
    if (element.dataset.value !== undefined) {
      answer.values[element.dataset.testid] = element.dataset.value;
    }
  }
  return answer;
}

async function main() {
  const { url, screenshots, clicks, expects, timeoutMs } = options(process.argv.slice(2));
  const userData = mkdtempSync(join(tmpdir(), "capacity-browser-"));
  const console_ = [];
  const requestsElsewhere = [];
  let exit = 0;
  let context;
  try {
    context = await chromium.launchPersistentContext(userData, {
      executablePath: browserPath(),
      headless: true,
      viewport: { width: 1280, height: 900 },
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(timeoutMs);
    const host = new URL(url).host;
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        console_.push(message.text());
      }
    });
    page.on("pageerror", (error) => console_.push(String(error)));
    page.on("request", (request) => {
      const target = new URL(request.url());
      if (target.host !== host && target.protocol !== "data:") {
        requestsElsewhere.push(request.url());
      }
    });
    try {
      await page.goto(url);
      await loaded(page, timeoutMs);
      for (const id of clicks) {
        await page.locator(`[data-testid=${JSON.stringify(id)}]`).first().click();
        await loaded(page, timeoutMs);
      }
      for (const [id, text] of expects) {
        await expectText(page, id, text, timeoutMs);
      }
    } catch (error) {
      process.stderr.write(`${error}\n`);
      exit = 4;
    }
    const answer = { url: page.url(), title: await page.title(), ...(await page.evaluate(read)) };
    for (const { scheme, width, file } of screenshots) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      // Two frames, so that charts have drawn themselves at the new size and in the new colours.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await page.screenshot({ path: file, fullPage: true });
    }
    process.stdout.write(
      `${JSON.stringify({ ...answer, console: console_, requestsElsewhere }, null, 2)}\n`,
    );
  } finally {
    await context?.close();
    rmSync(userData, { recursive: true, force: true });
  }
  process.exitCode = exit;
}

await main();
