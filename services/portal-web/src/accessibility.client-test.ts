/** Tests all pages, their details and all dialogs with axe in Chromium, in wide and narrow windows. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { complaintsOf, openBrowser, violationsOf } from "./testing/browser.ts";
import { ExampleServer } from "./testing/example-server.ts";
import { detailViews, type PageView, routedViews } from "./testing/page-views.ts";

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

const windows = [
  { width: 1_440, colorScheme: "light", views: [...routedViews, ...detailViews] },
  { width: 390, colorScheme: "dark", views: [...routedViews, ...detailViews] },
  { width: 1_440, colorScheme: "dark", views: routedViews },
  { width: 390, colorScheme: "light", views: routedViews },
  { width: 1_024, colorScheme: "light", views: routedViews },
] as const;

for (const { width, colorScheme, views } of windows)
  test(`axe finds no violation in ${views.length} views, and none is wider than a window of ${width}, ${colorScheme}`, async (t) => {
    const context = await browser.newContext({
      ...{ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" },
    });
    context.setDefaultTimeout(300_000);
    const complaints = complaintsOf(context);
    t.after(() => context.close());
    for (const view of views) await t.test(view.name, () => check(view));
    assert.deepEqual(complaints, []);

    async function check({ path, prepare, open }: PageView): Promise<void> {
      await using server = new ExampleServer();
      await server.listen();
      prepare?.(server);
      const page = await context.newPage();
      try {
        await page.goto(server.url + path);
        // The network never becomes idle, because the event connection stays open. The test therefore waits for an element.
        await page.locator("#main").waitFor();
        await page.locator(".loading, [aria-busy=true]").first().waitFor({ state: "detached" });
        await open?.(page, server);
        assert.deepEqual(await violationsOf(page), []);
        assert.deepEqual(await outside(page), []);
      } finally {
        await page.close();
      }
    }
  });

/**
 * Returns the page and the open dialogs and panels that do not fit into the window's width, and the table cells with content that
 * overlaps the next cell.
 */
function outside(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[
    ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ["the page"] : []),
    ...[...document.querySelectorAll("dialog[open], [popover]:popover-open")]
      .filter((each) => each.getBoundingClientRect().left < 0 || each.getBoundingClientRect().right > innerWidth || each.scrollWidth > each.clientWidth)
      .map(({ id }) => id),
    ...[...document.querySelectorAll("td")]
      .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
      .map(({ innerText }) => "the cell " + innerText),
  ]`);
}
