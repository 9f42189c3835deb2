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
//           tables:  { label: [[text of each cell] of each row] },
//           console: [text of each error and warning],
//           requestsElsewhere: [addresses at other hosts] }
// Exit: 0 answered; 2 wrong usage; 3 no browser found; 4 the page did not load, or an --expect never
// came true (the answer is still written).
import { expectText, fail, loaded, read, screenshot, watch, withPage } from "./browser.mjs";

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

const { url, screenshots, clicks, expects, timeoutMs } = options(process.argv.slice(2));
await withPage(timeoutMs, async (page) => {
  const seen = watch(page, url);
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
    process.exitCode = 4;
  }
  const answer = { url: page.url(), title: await page.title(), ...(await read(page)) };
  for (const { scheme, width, file } of screenshots) {
    await screenshot(page, scheme, width, file);
  }
  process.stdout.write(`${JSON.stringify({ ...answer, ...seen }, null, 2)}\n`);
});
