// A real, headless browser and what a person would see in it; shared by the scripts beside this one.
//
// The browser is $CAPACITY_CHROMIUM, or the first Chrome or Chromium in the usual places.
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

/** Ends the process: 2 for wrong usage, 3 when there is no browser. */
export function fail(code, message) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
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

/** Runs something with a page of a browser of its own, which is gone afterwards. */
export async function withPage(timeoutMs, use) {
  const userData = mkdtempSync(join(tmpdir(), "capacity-browser-"));
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
    return await use(page);
  } finally {
    await context?.close();
    rmSync(userData, { recursive: true, force: true });
  }
}

/** Collects what the console says and which addresses at other hosts are asked, from now on. */
export function watch(page, url) {
  const seen = { console: [], requestsElsewhere: [] };
  const host = new URL(url).host;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      seen.console.push(message.text());
    }
  });
  page.on("pageerror", (error) => seen.console.push(String(error)));
  page.on("request", (request) => {
    const target = new URL(request.url());
    if (target.host !== host && target.protocol !== "data:") {
      seen.requestsElsewhere.push(request.url());
    }
  });
  return seen;
}

/** Waits until no panel is loading any more. */
export async function loaded(page, timeoutMs) {
  await page.waitForFunction(
    () => {
      const panels = [...document.querySelectorAll("section[data-state]")];
      return panels.length > 1 && panels.every((panel) => panel.dataset.state !== "loading");
    },
    undefined,
    { timeout: timeoutMs },
  );
}

/** Waits until an element has a text. */
export async function expectText(page, testId, text, timeoutMs) {
  await page.waitForFunction(
    ([id, wanted]) =>
      [...document.querySelectorAll("[data-testid]")].some(
        (element) => element.dataset.testid === id && element.textContent.trim() === wanted,
      ),
    [testId, text],
    { timeout: timeoutMs },
  );
}

/** What is on the page: panels with their states, named numbers, tables by their labels. */
export async function read(page) {
  return await page.evaluate(() => {
    const answer = { panels: {}, texts: {}, values: {}, tables: {} };
    for (const panel of document.querySelectorAll("section[data-state]")) {
      answer.panels[panel.id] = panel.dataset.state;
    }
    for (const element of document.querySelectorAll("[data-testid]")) {
      answer.texts[element.dataset.testid] = element.textContent.trim();
      if (element.dataset.value !== undefined) {
        answer.values[element.dataset.testid] = element.dataset.value;
      }
    }
    for (const frame of document.querySelectorAll(".table-frame[aria-label]")) {
      answer.tables[frame.getAttribute("aria-label")] = [...frame.querySelectorAll("tr")].map(
        (row) => [...row.children].map((cell) => cell.textContent.trim()),
      );
    }
    return answer;
  });
}

/** A PNG of the whole page in a colour scheme and width. */
export async function screenshot(page, scheme, width, file) {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
  // Two frames, so that charts have drawn themselves at the new size and in the new colours.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await page.screenshot({ path: file, fullPage: true });
}
