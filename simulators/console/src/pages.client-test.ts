/** Tests the pages in Chromium against an example simulation. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type PagePath, pageTitles } from "./pages/shell/page-titles.ts";
import { complaintsOf, openBrowser, violationsOf } from "./testing/chromium.ts";
import { startTestConsole, type TestConsole } from "./testing/test-console.ts";

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** Signs in with a one-time link and visits the pages. Fails if a script failed or the browser reported a policy violation. */
async function visit(
  use: (page: Page, at: TestConsole) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await using at = await startTestConsole();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ignoreHTTPSErrors: true,
    ...options,
  });
  context.setDefaultTimeout(300_000);
  const complaints = complaintsOf(context);
  try {
    const page = await context.newPage();
    await page.goto(await at.newLink());
    await use(page, at);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const open = (page: Page, title: string) => page.getByRole("link", { name: title, exact: true }).click();

/** Text on each page of the router that appears after its data has loaded. */
const contents: Readonly<Record<(typeof pageTitles)[PagePath], string>> = {
  Clusters: "4 × Standard_D4s_v3",
  "Azure resources": "aro-demo",
  Requests: "PUT /subscriptions/s/resourceGroups/g",
  Directory: "Owner",
  Faults: "api-slow",
  Clock: "key vault certificate",
  Orphans: "no cluster owns it",
};

test("a one-time link leaves no token in the address and is refused the second time", () =>
  visit(async (page, at) => {
    await page.getByText("4 × Standard_D4s_v3").waitFor();
    assert.equal(page.url(), `${at.url}/`);
    const link = await at.newLink();
    await page.goto(link);
    await page.getByText("4 × Standard_D4s_v3").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText("prints a new one").waitFor();
  }));

for (const [width, colorScheme] of [
  [1440, "light"],
  [1024, "light"],
  [390, "dark"],
] as const)
  test(`axe finds no violation on any page, ${width} pixels wide, ${colorScheme}`, () =>
    visit(
      async (page) => {
        for (const title of Object.values(pageTitles)) {
          const content = contents[title];
          await open(page, title);
          await page.getByRole("heading", { name: title, level: 1 }).waitFor();
          await page.getByText(content).first().waitFor();
          await openDetail(page, title);
          assert.deepEqual(await violationsOf(page), [], title);
          const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
          assert.equal(isWider, false, `${title} scrolls to the side`);
        }
        await page.evaluate("history.pushState({}, '', '/nowhere')");
        await page.getByRole("heading", { name: "Page not found" }).waitFor();
        assert.deepEqual(await violationsOf(page), [], "an unknown page");
        await page.getByRole("link", { name: "All clusters" }).click();
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.getByRole("heading", { name: "You are signed out" }).waitFor();
        assert.deepEqual(await violationsOf(page), [], "the page after the sign-out");
      },
      { viewport: { width, height: 900 }, colorScheme },
    ));

/** Opens the parts of a page that load on demand. */
async function openDetail(page: Page, title: string): Promise<void> {
  if (title === "Clusters") {
    await page.getByRole("button", { name: "Create a cluster" }).click();
    await page.getByRole("button", { name: "demo", exact: true }).click();
    await page.getByText("1 of 1 ready").waitFor();
    await page
      .getByRole("button", { name: /^Turn off / })
      .first()
      .click();
  }
  if (title === "Faults") {
    await page.getByLabel("Kind").selectOption("disk-full");
    await page.getByLabel("Cluster").selectOption("demo");
    await page.getByLabel("node").fill("none");
    await page.getByRole("button", { name: "Inject" }).click();
    await page.getByText('Node "none" not found').waitFor();
  }
  if (title === "Clock") {
    await page.getByLabel("Duration").fill("nonsense");
    await page.getByRole("button", { name: "30 days forward" }).click();
    await page.getByText("expired").first().waitFor();
  }
  if (title === "Azure resources") {
    await page.getByText("aro-demo").click();
    await page.getByRole("button", { name: "t", exact: true }).click();
    await page.getByLabel("JSON of the resource").waitFor();
  }
  if (title === "Requests") {
    await page.getByRole("button", { name: "PUT /subscriptions" }).click();
    await page.getByLabel("Request body").waitFor();
  }
}

test("a body with markup is shown as text", () =>
  visit(async (page) => {
    await open(page, "Requests");
    await openDetail(page, "Requests");
    assert.match(
      await page.getByLabel("Request body").innerText(),
      /"location": "<img src=x onerror=alert\(1\)>"/,
    );
    assert.equal(await page.locator("img[src=x]").count(), 0);
    await page.getByText("The log has the first part of this body.").waitFor();
  }));

test("a fault is injected by the form of its kind, a refusal is shown, and the fault is cleared", () =>
  visit(async (page, at) => {
    await open(page, "Faults");
    await page.getByLabel("Kind").selectOption("disk-full");
    await page.getByLabel("Cluster").selectOption("demo");
    await page.getByLabel("node").fill("none");
    await page.getByRole("button", { name: "Inject" }).click();
    await page.getByText('Node "none" not found').waitFor();
    await page.getByLabel("node").fill("demo-x7k2p-master-0");
    await page.getByRole("button", { name: "Inject" }).click();
    await page.getByText("node=demo-x7k2p-master-0").waitFor();
    const clear = page.getByRole("row", { name: /disk-full/ }).getByRole("button");
    await clear.click();
    await clear.click();
    await page.getByText("node=demo-x7k2p-master-0").waitFor({ state: "detached" });
    assert.equal((await at.world.faults.list()).length, 1);
  }));

test("the clock moves and its credentials expire", () =>
  visit(async (page) => {
    await open(page, "Clock");
    await page.getByText("the real time").first().waitFor();
    await page.getByRole("button", { name: "30 days forward" }).click();
    await page.getByText("30 d ahead of the real time").waitFor();
    await page
      .getByRole("row", { name: /serving/ })
      .getByText("expired")
      .waitFor();
    await page.getByRole("button", { name: "Return to the real time" }).click();
    await page.getByText("30 d ahead").waitFor({ state: "detached" });
  }));

test("a credential expires with one click", () =>
  visit(async (page) => {
    await open(page, "Clock");
    const row = page.getByRole("row", { name: /serving/ });
    await row.getByRole("button", { name: /^Advance to the expiry of/ }).click();
    await row.getByText("expired").waitFor();
    assert.equal(await row.getByRole("button").count(), 0);
  }));

test("the URL keeps the open cluster, the open resource and the filter", () =>
  visit(async (page) => {
    await page.getByRole("button", { name: "demo", exact: true }).click();
    await page.getByText("1 of 1 ready").waitFor();
    assert.match(page.url(), /\?cluster=[^&/%]+(%2F|\/)demo$/);
    await page.reload();
    await page.getByText("1 of 1 ready").waitFor();
    await page.goBack();
    await page.getByText("1 of 1 ready").waitFor({ state: "detached" });
    await open(page, "Azure resources");
    await page.getByLabel("Filter resource groups").fill("aro-demo");
    await page.getByText("1 resource groups").waitFor();
    await page.reload();
    await page.getByText("1 resource groups").waitFor();
    assert.equal(await page.getByLabel("Filter resource groups").inputValue(), "aro-demo");
  }));

test("a cluster is created, a node is turned off, a machine set scaled, and a group deleted", () =>
  visit(async (page, at) => {
    await page.getByRole("button", { name: "Create a cluster" }).click();
    await page.getByLabel("Name").fill("two");
    await page.getByLabel("Visibility").selectOption("Private");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("button", { name: "Create a cluster" }).waitFor();
    await page.getByRole("button", { name: "demo", exact: true }).click();
    await page.getByRole("button", { name: "Turn off demo-x7k2p-master-0" }).click();
    await page.getByRole("button", { name: "Confirm: Turn off demo-x7k2p-master-0" }).click();
    await page.getByLabel("demo-x7k2p-worker-eastus1", { exact: true }).fill("5");
    await page.getByRole("button", { name: "Scale demo-x7k2p-worker-eastus1" }).click();
    await open(page, "Azure resources");
    await page.locator("summary", { hasText: /^demo/ }).click();
    await page.getByRole("button", { name: "Delete resource group demo" }).click();
    await page.getByRole("button", { name: "Confirm: Delete resource group demo" }).click();
    const wanted = [
      /openShiftClusters\/two/,
      /stopvm\?vmName=demo-x7k2p-master-0/,
      /kubernetesobjects/,
      /resourceGroups\/demo\?/,
    ];
    while (at.world.calls.length < wanted.length) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const [index, path] of wanted.entries()) assert.match(at.world.calls[index]?.path ?? "", path);
  }));
