/**
 * Writes screenshots of all pages of the portal and the console to docs/images. The pages show example data. Deletes other files
 * in this directory.
 *
 *     make screenshots
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { resourcePath } from "../../services/portal-web/src/api/cluster-path.ts";
import { openBrowser } from "../../services/portal-web/src/testing/browser.ts";
import { exampleDetail } from "../../services/portal-web/src/testing/example-detail.ts";
import { ExampleServer } from "../../services/portal-web/src/testing/example-server.ts";
import { startTestConsole } from "../../simulators/console/src/testing/test-console.ts";
import {
  consolePages,
  fileOf,
  maxTotalBytes,
  portalPages,
  type ShownPage,
  screenshotFiles,
  type Window,
  windows,
} from "./screenshot-list.ts";

const directory = join(import.meta.dirname, "..", "..", "docs", "images");
/** WebP quality, 0 to 100. */
const quality = 60;
/** Time without a change after which a page counts as loaded, in ms. */
const quietMs = 400;

await using browser = { value: await openBrowser(), [Symbol.asyncDispose]: () => browser.value.close() };
mkdirSync(directory, { recursive: true });
let total = 0;
for (const window of windows) {
  total += await shootPortal(browser.value, window);
  total += await shootConsole(browser.value, window);
}
const current = new Set(screenshotFiles());
for (const file of readdirSync(directory)) if (!current.has(file)) rmSync(join(directory, file));
console.log(`${current.size} screenshots, ${(total / 1_048_576).toFixed(2)} MiB`);
if (total > maxTotalBytes)
  throw new Error(`the screenshots exceed ${maxTotalBytes} bytes: reduce the quality`);

async function shootPortal(browser: Browser, window: Window): Promise<number> {
  await using server = new ExampleServer();
  await server.listen();
  await using context = await newContext(browser, window);
  return await shootAll(
    await context.newPage(),
    server.url,
    portalPages(resourcePath(exampleDetail)),
    window,
  );
}

async function shootConsole(browser: Browser, window: Window): Promise<number> {
  await using server = await startTestConsole();
  await using context = await newContext(browser, window);
  const page = await context.newPage();
  await page.goto(await server.newLink());
  await page.getByRole("heading", { level: 1 }).waitFor();
  return await shootAll(page, server.url, consolePages, window);
}

async function newContext(
  browser: Browser,
  { width, height, colorScheme }: Window,
): Promise<BrowserContext & AsyncDisposable> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: "reduce",
    ignoreHTTPSErrors: true,
  });
  return Object.assign(context, { [Symbol.asyncDispose]: () => context.close() });
}

/** Writes the screenshots of the pages. Returns their size in bytes. */
async function shootAll(
  page: Page,
  url: string,
  pages: readonly ShownPage[],
  window: Window,
): Promise<number> {
  // Playwright writes no WebP, but Chromium does.
  const session = await page.context().newCDPSession(page);
  let total = 0;
  for (const each of pages) {
    await page.goto(url + each.path);
    await untilLoaded(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const image = Buffer.from(data, "base64");
    writeFileSync(join(directory, fileOf(each, window)), image);
    total += image.length;
  }
  return total;
}

/** Waits until the page has its data and no longer changes. */
async function untilLoaded(page: Page): Promise<void> {
  await page.locator("#main").waitFor();
  await page.locator(".loading, [aria-busy=true]").first().waitFor({ state: "detached" });
  let [before, after] = ["", await page.innerText("#main")];
  while (before !== after) {
    await page.waitForTimeout(quietMs);
    [before, after] = [after, await page.innerText("#main")];
  }
}
