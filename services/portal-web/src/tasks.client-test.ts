/** Executes the tasks in docs/portal-tasks.md and counts their clicks. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { openBrowser } from "./testing/browser.ts";
import { ExampleServer } from "./testing/example-server.ts";

const document = new URL("../../../docs/portal-tasks.md", import.meta.url);

/** Number of clicks for each task, as documented in the table. */
const documented = new Map(
  [...readFileSync(document, "utf8").matchAll(/^\| ([A-Z][^|]+) \| (\d+) \|/gm)].map(
    ([, task = "", clicks]) => [task, Number(clicks)],
  ),
);

interface Hands {
  readonly page: Page;
  click(target: Locator): Promise<void>;
  /** Clicks the link with this name. */
  link(name: string): Promise<void>;
  tab(name: string): Promise<void>;
  button(name: string): Promise<void>;
  /** Opens a page with the quick search. */
  search(text: string): Promise<void>;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).first().waitFor();

/** Steps of each task. The last step waits until the page shows the result. */
const tasks: Readonly<Record<string, (hands: Hands) => Promise<void>>> = {
  "Find degraded clusters of a fleet": async ({ page, button }) => {
    await button("Degraded 1");
    await page.locator("#ClusterCount", { hasText: "Showing 1 item" }).waitFor();
  },
  "Find the pages of a cluster by name": async ({ page, search }) => {
    await search("demo nodes");
    await heading(page, "Nodes");
  },
  "Read why a cluster failed": async ({ page, link }) => {
    await page.getByText("Failed - Creating", { exact: true }).waitFor();
    await link("analytics");
    await page.locator("#ClusterFailure").getByText("The creation failed").waitFor();
  },
  "See the steps of an installation with their durations": async ({ page, link, tab }) => {
    await link("demo");
    await tab("Timeline");
    await page.locator(".gantt .bar").first().waitFor();
  },
  "List firing alerts of all clusters": async ({ page, search }) => {
    await search("Alerts");
    await heading(page, "Alerts");
  },
  "List firing alerts of a cluster": async ({ page, link, tab }) => {
    await link("demo");
    await tab("Alerts");
    await heading(page, "Alerts");
  },
  "List cluster operators with their conditions": async ({ page, link, tab }) => {
    await link("demo");
    await tab("ClusterOperators");
    await page.getByText("kube-apiserver", { exact: true }).first().waitFor();
  },
  "List nodes with their conditions": async ({ page, link, tab }) => {
    await link("demo");
    await tab("Nodes");
    await page
      .getByText(/-master-0$/)
      .first()
      .waitFor();
  },
  "Read the log of a container": async ({ page, click, link, tab, button }) => {
    await link("demo");
    await tab("Pods");
    await page.getByLabel("Filter pods").fill("etcd");
    await button("etcd-demo-x7k2p-master-1");
    await click(page.getByRole("link", { name: "Log of etcd", exact: true }));
    await page.getByRole("region", { name: "Log" }).waitFor();
  },
  "List events": async ({ page, link, tab }) => {
    await link("demo");
    await tab("Events");
    await heading(page, "Events");
  },
  "Run a PromQL query": async ({ page, click }) => {
    const row = page.getByRole("row", { name: /^demo / });
    const opening = page.context().waitForEvent("page");
    await click(row.locator("a[aria-label='Prometheus']"));
    const opened = await opening;
    await opened.getByLabel("PromQL expression").fill("up");
    await click(opened.getByRole("button", { name: "Execute" }));
    await opened.getByText('up{job="kubelet"}').waitFor();
  },
  "Get a kubeconfig": async ({ page, click, button }) => {
    const row = page.getByRole("row", { name: /^demo / });
    await click(row.locator("button[aria-label='Download Kubeconfig']"));
    await button("Download");
    await page.getByText("Downloaded demo-elevated.kubeconfig").waitFor();
  },
  "Get SSH access to a master": async ({ page, click }) => {
    const row = page.getByRole("row", { name: /^demo / });
    await click(row.locator("button[aria-label='SSH']"));
    await page.locator("#sshModal #sshDropdown").selectOption({ label: "master-1" });
    await click(page.locator("#sshButton"));
    await page.locator("#sshCommand").waitFor();
  },
  "Stop a virtual machine": async ({ page, link, tab, click, button }) => {
    await link("demo");
    await tab("Actions");
    await page.getByLabel("Action", { exact: true }).selectOption("POST stopvm");
    await page.getByLabel("vmName").fill("demo-x7k2p-master-0");
    await page.getByLabel("Reason").fill("incident 7");
    await button("Review");
    const dialog = page.locator("#confirmAction");
    await dialog.getByLabel("Type demo to confirm").fill("demo");
    await click(dialog.getByRole("button", { name: "Run", exact: true }));
    await page.getByLabel("Text of the result").filter({ hasText: "done" }).waitFor();
  },
  "Check whether a cluster can be upgraded": async ({ page, link, tab }) => {
    await link("demo");
    await tab("Upgrade");
    await heading(page, "Upgrade");
  },
};

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

test("the table documents 15 tasks, and each has a test", () => {
  assert.equal(documented.size, 15);
  assert.deepEqual([...documented.keys()].sort(), Object.keys(tasks).sort());
});

for (const [task, steps] of Object.entries(tasks))
  test(`${task}: the number of clicks is the documented one`, async () => {
    await using server = new ExampleServer();
    await server.listen();
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    try {
      const page = await context.newPage();
      await page.goto(server.url);
      await page.locator("#ClusterCount", { hasText: "Showing" }).waitFor();
      let clicks = 0;
      const click = async (target: Locator) => {
        await target.click();
        clicks++;
      };
      await steps({
        page,
        click,
        link: (name) => click(page.getByRole("link", { name, exact: true }).first()),
        tab: (name) => click(page.locator(`div[name='${name}']`)),
        button: (name) => click(page.getByRole("button", { name, exact: true })),
        async search(text) {
          await page.keyboard.press("/");
          await page.getByRole("combobox", { name: "Cluster or page" }).fill(text);
          await page.keyboard.press("Enter");
        },
      });
      assert.equal(clicks, documented.get(task));
    } finally {
      await context.close();
    }
  });
