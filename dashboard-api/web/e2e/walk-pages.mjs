// Does what a reader does with the pages, one step after another in one real browser, and tells what
// was to be seen after each, as JSON on stdout.
//
//   node walk-pages.mjs URL < STEPS
//
// STEPS is JSON: a list of steps, each an object with one or more of, done in this order:
//   go:        query string to open, such as "?page=lanes"; loads the page anew
//   fail:      path of the API that is answered 500 from now on, such as "/api/v1/lanes/heatmap"
//   hold:      path of the API that is not answered any more, until it is released
//   release:   path whose held requests go on, with all that come later
//   answers:   {path of the API: what it answers from now on}, in place of what it would
//   dark:      true or false: the colour scheme
//   width:     pixels
//   click:     data-testid of what to click, or a list of them
//   set:       {data-testid: value}: what to put into fields
//   then:      data-testid of what to click after that, or a list of them
//   key:       a key to press, or a list of them
//   drag:      id of the panel over whose chart to drag from a quarter to a half
//   tables:    true: opens every "As a table"
//   expect:    {data-testid: text}: waits until it says so
//   until:     {data-testid: data-value}: waits until it has that value
//   there:     data-testid to wait for until it is there
//   says:      text to wait for anywhere on the page
//   gone:      data-testid to wait for until it isn't there
//   busy:      true: doesn't wait until every panel has loaded
//   mark:      file to write when all this has been done, for whoever waits for that
//   after:     after the mark, {says: text}: waits for it
//   axe:       true: looks for violations of WCAG 2.2 AA
//   shot:      file for a picture of the whole page
//   timeoutMs: how long any wait may take, 30000 unless given
//
// Answer: a list, for each step what read-page.mjs answers and
//           violations: [{ rule, what, where }] with axe,
//           dialog: the title of the dialog that is open, or null,
//           cookies: [{ name, httpOnly, sameSite }] of the page,
//           focus: what has the focus: its data-testid, id or tag, and whether that is seen,
//           overflow: pixels by which the page is wider than the screen,
//           bytes: what the page's own files weighed on the way, so far,
//           tookMs: what the step took.
// Exit: 0 all done; 2 wrong usage; 3 no browser found; 4 a step could not be done (what was
// answered until then is still written).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expectText, fail, loaded, read, screenshot, watch, withPage } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

const named = (id) => `[data-testid=${JSON.stringify(id)}]`;

async function drag(page, panel) {
  const over = page.locator(`#${panel} .u-over`).first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, y, { steps: 5 });
  await page.mouse.up();
}

async function violations(page) {
  // Through the debugger's own door, which the page's content security policy doesn't guard.
  await page.evaluate(AXE);
  return await page.evaluate(async (tags) => {
    const found = await globalThis.axe.run(document, { runOnly: tags });
    return found.violations.flatMap((one) =>
      one.nodes.map((node) => ({ rule: one.id, what: node.failureSummary, where: node.html })),
    );
  }, WCAG);
}

async function focus(page) {
  return await page.evaluate(() => {
    const at = document.activeElement;
    return {
      on: at?.dataset?.testid ?? (at?.id || at?.tagName.toLowerCase()),
      seen: at?.matches(":focus-visible") && getComputedStyle(at).outlineStyle !== "none",
    };
  });
}

/** Requests that are held, by path. */
const held = new Map();

async function hold(page, path) {
  const waiting = [];
  const on = (address) => address.pathname === path;
  held.set(path, { waiting, on });
  await page.route(on, (route) => {
    waiting.push(route);
  });
}

async function release(page, path) {
  const { waiting, on } = held.get(path);
  await page.unroute(on);
  await Promise.all(waiting.map((route) => route.continue().catch(() => {})));
}

async function says(page, text, timeoutMs) {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text, {
    timeout: timeoutMs,
  });
}

async function take(page, base, step) {
  const timeoutMs = step.timeoutMs ?? 30_000;
  if (step.fail !== undefined) {
    await page.route(
      (address) => address.pathname === step.fail,
      (route) =>
        route.fulfill({
          status: 500,
          contentType: "application/problem+json",
          body: JSON.stringify({ type: "urn:test", title: "It failed", status: 500, detail: "As asked" }),
        }),
    );
  }
  for (const [path, body] of Object.entries(step.answers ?? {})) {
    await page.route(
      (address) => address.pathname === path,
      (route) => route.fulfill({ contentType: "application/json", body: JSON.stringify(body) }),
    );
  }
  if (step.hold !== undefined) {
    await hold(page, step.hold);
  }
  if (step.release !== undefined) {
    await release(page, step.release);
  }
  if (step.dark !== undefined) {
    await page.emulateMedia({ colorScheme: step.dark ? "dark" : "light" });
  }
  if (step.width !== undefined) {
    await page.setViewportSize({ width: step.width, height: 900 });
  }
  if (step.go !== undefined) {
    await page.goto(new URL(step.go, base).href);
    if (step.busy !== true) {
      await loaded(page, timeoutMs);
    }
  }
  for (const id of list(step.click)) {
    await page.locator(named(id)).first().click();
  }
  for (const [id, value] of Object.entries(step.set ?? {})) {
    const field = page.locator(named(id)).first();
    await field.fill(String(value));
    await field.dispatchEvent("change");
  }
  for (const id of list(step.then)) {
    await page.locator(named(id)).first().click();
  }
  for (const key of list(step.key)) {
    await page.keyboard.press(key);
  }
  if (step.drag !== undefined) {
    await drag(page, step.drag);
  }
  if (step.busy !== true) {
    await loaded(page, timeoutMs);
  }
  if (step.tables === true) {
    for (const summary of await page.locator("figure.chart summary").all()) {
      await summary.click();
    }
  }
  for (const [id, text] of Object.entries(step.expect ?? {})) {
    await expectText(page, id, text, timeoutMs);
  }
  for (const [id, value] of Object.entries(step.until ?? {})) {
    await page.locator(`${named(id)}[data-value=${JSON.stringify(value)}]`).first().waitFor({
      timeout: timeoutMs,
    });
  }
  if (step.there !== undefined) {
    await page.locator(named(step.there)).first().waitFor({ timeout: timeoutMs });
  }
  if (step.says !== undefined) {
    await says(page, step.says, timeoutMs);
  }
  if (step.gone !== undefined) {
    await page.locator(named(step.gone)).first().waitFor({ state: "detached", timeout: timeoutMs });
  }
  if (step.mark !== undefined) {
    writeFileSync(step.mark, "");
  }
  if (step.after !== undefined) {
    await says(page, step.after.says, timeoutMs);
  }
}

const [base, ...rest] = process.argv.slice(2);
if (base === undefined || rest.length > 0) {
  fail(2, "Give the page's URL, and the steps on stdin: see the head of walk-pages.mjs");
}
const steps = JSON.parse(readFileSync(0, "utf8"));
await withPage(30_000, async (page) => {
  const seen = watch(page, base);
  let bytes = 0;
  page.on("requestfinished", async (request) => {
    if (/\/(assets\/.*)?$/.test(new URL(request.url()).pathname)) {
      bytes += (await request.sizes()).responseBodySize;
    }
  });
  const answers = [];
  for (const step of steps) {
    const began = performance.now();
    try {
      await take(page, base, step);
    } catch (error) {
      process.stderr.write(`${JSON.stringify(step)}: ${error}\n`);
      process.exitCode = 4;
    }
    const answer = {
      url: page.url(),
      title: await page.title(),
      ...(await read(page)),
      console: [...seen.console],
      requestsElsewhere: [...seen.requestsElsewhere],
      dialog: await page.evaluate(
        () => document.querySelector("dialog[open] h2")?.textContent ?? null,
      ),
      cookies: (await page.context().cookies()).map(({ name, httpOnly, sameSite }) => ({
        name,
        httpOnly,
        sameSite,
      })),
      focus: await focus(page),
      overflow: await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
      bytes,
    };
    if (step.axe === true) {
      answer.violations = await violations(page);
    }
    if (step.shot !== undefined) {
      const { width } = page.viewportSize();
      await screenshot(page, step.dark === true ? "dark" : "light", width, step.shot);
    }
    answer.tookMs = Math.round(performance.now() - began);
    answers.push(answer);
    if (process.exitCode === 4) {
      break;
    }
  }
  process.stdout.write(`${JSON.stringify(answers, null, 2)}\n`);
});
