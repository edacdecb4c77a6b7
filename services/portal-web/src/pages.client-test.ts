/**
 * Tests the pages in a real browser with example responses. tests/e2e/portal-pages.client-test.ts tests them with the service.
 */
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { OperationView } from "@keelson/portal-api";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { resourcePath } from "./api/cluster-path.ts";
import { tabNames, tabPath } from "./navigation/tabs.ts";
import { complaintsOf, openBrowser, violationsOf } from "./testing/browser.ts";
import { exampleClusters } from "./testing/example-clusters.ts";
import { exampleDetail } from "./testing/example-detail.ts";
import { ExampleServer } from "./testing/example-server.ts";

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const demo = resourcePath(exampleDetail);

/**
 * Opens a browser window on a new server. After the test, asserts that no script failed and that the content security policy
 * blocked nothing.
 */
async function visit(
  path: string,
  use: (page: Page, server: ExampleServer) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await using server = new ExampleServer();
  await server.listen();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const complaints = complaintsOf(context);
  try {
    const page = await context.newPage();
    await page.goto(server.url + path);
    await use(page, server);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const names = (page: Page) => page.locator("[data-automation-key=name]").allInnerTexts();
const count = (page: Page, text: string) => page.locator("#ClusterCount", { hasText: text }).waitFor();
const filterOf = (page: Page) => page.getByPlaceholder("Filter on resource ID");

test("the list shows the number of clusters, filters them, and shows failures", () =>
  visit("/", async (page) => {
    await count(page, `Showing ${exampleClusters.length} items`);
    await page.getByText("Failed - Creating", { exact: true }).waitFor();
    await filterOf(page).fill("no such cluster");
    await count(page, "Showing 0 items");
    await filterOf(page).fill("PAYMENTS");
    await count(page, "Showing 2 items");
    await page.reload();
    await count(page, "Showing 2 items");
  }));

test("the label of the environment and its link are in the header", () =>
  visit("/", async (page) => {
    const banner = page.locator("#EnvironmentBanner");
    await banner.getByText("simulated", { exact: true }).waitFor();
    const link = banner.getByRole("link", { name: "Console" });
    assert.equal(await link.getAttribute("href"), "https://localhost:8448");
  }));

test("of 2,000 clusters only the rows near the window are drawn, to the last one", () =>
  visit("/", async (page, server) => {
    await count(page, "Showing 5 items");
    await page.getByText("live", { exact: true }).waitFor();
    const [first] = exampleClusters;
    assert.ok(first);
    for (let index = 0; index < 1_995; index++) {
      const name = `more-${index}`;
      const resourceId = first.resourceId.replace(/[^/]+$/, name);
      server.addCluster({ ...first, key: name, name, resourceId });
    }
    await page.reload();
    await count(page, "Showing 2000 items");
    const rows = page.locator("tbody tr:not(.spacer)");
    await rows.first().waitFor();
    assert.ok((await rows.count()) < 100);
    const table = page.getByRole("table", { name: "Clusters" });
    assert.equal(await table.getAttribute("aria-rowcount"), "2001");
    await page.keyboard.press("End");
    // The table is sorted by name, so this cluster is in its last row.
    await page.getByRole("link", { name: "payments-staging", exact: true }).waitFor();
    assert.equal(await rows.last().getAttribute("aria-rowindex"), "2001");
    assert.ok((await rows.count()) < 100);
    await page.keyboard.press("Home");
    await page.getByRole("link", { name: "analytics", exact: true }).waitFor();
    await filterOf(page).fill("more-1994");
    await count(page, "Showing 1 item");
  }));

test("counts by health, state, version and region are filters that the address keeps with the order", () =>
  visit("/", async (page) => {
    await page.getByRole("button", { name: "Degraded 1" }).click();
    await count(page, "Showing 1 item");
    await page
      .getByRole("row", { name: /^payments-production .*2 operators degraded, 1 node not ready/ })
      .waitFor();
    await page.getByText("certificate expires in 12 days").waitFor();
    assert.match(page.url(), /health=Degraded/);
    await page.getByRole("button", { name: "Degraded 1" }).click();
    await page.getByLabel("Version", { exact: true }).selectOption("4.19.9");
    await page.getByLabel("Region", { exact: true }).selectOption("westeurope");
    await count(page, "Showing 1 item");
    await page.getByLabel("Version", { exact: true }).selectOption("");
    await page.getByRole("button", { name: "Health", exact: true }).click();
    await count(page, "Showing 4 items");
    await page.waitForURL(/region=westeurope&sort=Health$/);
    await page.reload();
    await count(page, "Showing 4 items");
    assert.equal((await names(page))[0], "analytics");
    assert.equal(await page.getByLabel("Region", { exact: true }).inputValue(), "westeurope");
  }));

test("the shown clusters are exported as CSV and JSON", () =>
  visit("/?filter=payments&sort=-Name", async (page) => {
    await count(page, "Showing 2 items");
    for (const format of ["CSV", "JSON"]) {
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: `Export ${format}` }).click();
      const download = await downloading;
      assert.equal(download.suggestedFilename(), `clusters.${format.toLowerCase()}`);
      const exported = await text(await download.createReadStream());
      assert.ok(exported.indexOf("payments-staging") < exported.indexOf("payments-production"));
      assert.ok(!exported.includes("analytics"));
    }
  }));

test("the quick search opens with / and Ctrl+K, and navigates to a cluster, its page and the fleet's pages", () =>
  visit("/", async (page) => {
    await count(page, "Showing 5 items");
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Cluster or page" });
    await field.fill("payments");
    await page.getByRole("option", { name: /^payments-staging/ }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await field.press("ArrowDown");
    await field.press("Enter");
    await page.getByRole("heading", { name: "payments-staging", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await field.fill("demo nodes");
    await field.press("Enter");
    await page.waitForURL(/\/demo\/nodes$/);
    await page.locator("#SearchButton").click();
    await field.fill("alerts");
    await page.getByRole("option", { name: "Alerts page", exact: true }).click();
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
    // Typing a slash into an input field must not open the search.
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await filterOf(page).press("/");
    assert.equal(await filterOf(page).inputValue(), "/");
  }));

test("alerts of the fleet name their clusters and have our runbook", () =>
  visit("/alerts", async (page) => {
    const row = page.getByRole("row", {
      name: /^KubeNodeUnreachable critical cluster 1 payments-production/,
    });
    await row.waitFor();
    await page.getByRole("button", { name: "KeelsonWorkerNotReady" }).click();
    await page.locator(".runbook li").first().waitFor();
    await page.getByRole("link", { name: "payments-production", exact: true }).first().click();
    await page.getByRole("heading", { name: "Alerts", level: 2 }).waitFor();
  }));

test("an alert of a cluster has its texts, runbooks without a referrer, and how to silence it", () =>
  visit(`${demo}/alerts`, async (page) => {
    await page.getByRole("button", { name: "KubeNodeNotReady" }).click();
    const link = page.getByRole("link", { name: /^Runbook that the cluster names/ });
    assert.equal(await link.getAttribute("rel"), "noreferrer");
    assert.match(
      await page.getByLabel("Silence for two hours", { exact: true }).inputValue(),
      /alertname=KubeNodeNotReady/,
    );
    await page.getByText("demo-x7k2p-worker-1 has been unready").waitFor();
    assert.deepEqual(await violationsOf(page), []);
  }));

test("titles of columns sort, once up and once down, also by keyboard", () =>
  visit("/", async (page) => {
    await page.getByRole("button", { name: "Name", exact: true }).click();
    assert.deepEqual(
      await names(page),
      exampleClusters
        .map(({ name }) => name)
        .sort()
        .reverse(),
    );
    await page.getByRole("button", { name: "Version", exact: true }).press("Enter");
    assert.equal((await names(page))[0], "edge-7");
    assert.equal((await names(page)).at(-1), "analytics");
  }));

test("each page of a cluster has its own address, which opens it", () =>
  visit(demo, async (page, server) => {
    assert.equal(await page.locator("#ClusterDetailName").innerText(), "demo");
    for (const name of tabNames) {
      await page.locator(`div[name='${name}']`).click();
      await page.waitForURL(`${server.url}${demo}/${tabPath(name)}`);
      await page.getByRole("heading", { name, level: 2, exact: true }).waitFor();
    }
    await page.goBack();
    await page.getByRole("heading", { name: "Sessions", level: 2, exact: true }).waitFor();
  }));

test("the Prometheus button opens a page that evaluates queries as a table and as a graph", () =>
  visit(demo, async (page, server) => {
    assert.equal(
      await page.getByRole("link", { name: "Prometheus", exact: true }).first().getAttribute("href"),
      `${demo}/prometheus/`,
    );
    await page.goto(`${server.url}${demo}/prometheus/`);
    await page.getByRole("button", { name: "up == 0" }).click();
    await page.getByText('up{job="kubelet"}').waitFor();
    assert.match(page.url(), /query=up/);
    await page.getByLabel("View").selectOption("graph");
    await page.getByRole("img", { name: /2 lines/ }).waitFor();
    await page.reload();
    await page.getByRole("img", { name: /2 lines/ }).waitFor();
    await page.getByLabel("PromQL expression").fill("up{");
    await page.getByRole("button", { name: "Execute" }).click();
    await page.getByText("1:4: parse error").waitFor();
    await page.getByLabel("Position of the error").filter({ hasText: "^" }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
  }));

test("the overview has the original's 18 rows, each with a value", () =>
  visit(demo, async (page) => {
    const cell = (at: number, key: string) =>
      page.locator(
        `.clusterOverviewList [data-automationid=ListCell][data-list-index='${at}'] [data-automation-key=${key}]`,
      );
    assert.equal(await cell(0, "name").innerText(), "ApiServer Visibility");
    assert.equal(await cell(17, "name").innerText(), "Installation Status");
    for (let at = 0; at < 18; at++) assert.notEqual(await cell(at, "value").innerText(), "");
  }));

test("a failed cluster shows its failure with remedies first", () =>
  visit(resourcePath({ ...exampleDetail, resourceGroup: "data", name: "analytics" }), async (page) => {
    const failure = page.locator("#ClusterFailure");
    await failure.getByText("The creation failed").waitFor();
    await failure.getByRole("listitem").first().waitFor();
    await failure.getByRole("link", { name: "Timeline of the operation" }).click();
    await page.getByRole("heading", { name: "Timeline", level: 2 }).waitFor();
  }));

test("the log of a container is read, searched, followed and downloaded, and runs nothing", () =>
  visit(`${demo}/pods`, async (page) => {
    await page.getByLabel("Filter pods").fill("etcd crash");
    await page.getByText("No pod of the visible namespaces has these words.").waitFor();
    await page.getByLabel("Filter pods").fill("etcd");
    await page.getByRole("button", { name: "etcd-demo-x7k2p-master-1" }).click();
    await page.getByRole("link", { name: "Log of etcd", exact: true }).click();
    const log = page.getByRole("region", { name: "Log" });
    await log.filter({ hasText: "␛[31mpanic: <script>alert(1)</script>" }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByLabel("Lines with this text").fill("FDATASYNC");
    await page.getByText("1 of 3 lines.").waitFor();
    await page.getByLabel("Lines with this text").fill("");
    await page.getByLabel("Follow").check();
    await log.filter({ hasText: "<script>second</script>" }).waitFor();
    await page.getByText("The log has ended.").waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download", exact: true }).click();
    assert.equal((await downloading).suggestedFilename(), "etcd.log");
  }));

test("objects of a kind are listed, and one is shown as YAML at a separate address", () =>
  visit(`${demo}/resources`, async (page) => {
    await page.getByLabel("Kind", { exact: true }).fill("ConfigMap");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("link", { name: "cluster-config" }).click();
    await page.waitForURL(/kind=ConfigMap&namespace=openshift-etcd&name=cluster-config/);
    const yaml = page.getByRole("region", { name: "YAML" });
    await yaml.filter({ hasText: "config.yaml: |" }).waitFor();
    await yaml.filter({ hasText: "a: <b>1</b>" }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.reload();
    await yaml.waitFor();
    await page.getByRole("link", { name: "All objects of the kind" }).click();
    await page.getByRole("link", { name: "cluster-config" }).waitFor();
  }));

test("events are filtered by their words", () =>
  visit(`${demo}/events`, async (page) => {
    await page.getByRole("row", { name: /Warning BackOff openshift-etcd/ }).waitFor();
    await page.getByLabel("Filter events").fill("pulled");
    await page.getByRole("row", { name: /BackOff/ }).waitFor({ state: "detached" });
  }));

const install = (percentComplete: number, done: number): OperationView => ({
  id: "running",
  kind: "Updating",
  state: percentComplete === 100 ? "Succeeded" : "Updating",
  startTime: new Date(Date.now() - 60_000).toISOString(),
  ...(percentComplete === 100 ? { endTime: new Date().toISOString() } : {}),
  percentComplete,
  currentSteps: percentComplete === 100 ? [] : [`step ${done}`],
  steps: Array.from({ length: done + 1 }, (_, at) => ({
    name: `step ${at}`,
    startedAt: new Date(Date.now() - 50_000 + at * 1_000).toISOString(),
    ...(at < done || percentComplete === 100 ? { endedAt: new Date().toISOString() } : {}),
    attempts: at === 1 ? 2 : 1,
    outcome: at < done || percentComplete === 100 ? "succeeded" : "running",
  })),
});

test("a running operation is followed to its end without a reload, in the time line and in the list", () =>
  visit(`${demo}/timeline`, async (page, server) => {
    await page.getByText("live", { exact: true }).waitFor();
    const mark = "globalThis.isSameDocument = true";
    await page.evaluate(mark);
    server.putOperation(install(30, 1));
    await page.locator(".bar.running").waitFor();
    await page.getByText("step 1", { exact: true }).first().waitFor();
    server.putOperation(install(60, 3));
    await page.locator("svg").getByText("step 3", { exact: true }).waitFor();
    assert.equal(await page.locator(".gantt .bar").count(), 4);
    assert.equal(await page.locator(".gantt .bar.retried").count(), 1);
    await page.getByRole("link", { name: "All clusters" }).click();
    await page.getByText("60 %").waitFor();
    await page.goBack();
    server.putOperation(install(100, 3));
    await page.locator(".operation-list button", { hasText: "Succeeded" }).first().waitFor();
    await page.locator(".bar.running").waitFor({ state: "detached" });
    await page.locator("button", { hasText: "Table" }).click();
    assert.equal(await page.getByRole("row", { name: /step 1 succeeded, attempt 2/ }).count(), 1);
    assert.equal(await page.evaluate("globalThis.isSameDocument"), true);
  }));

test("clusters come, change and go as it happens, and after the connection was lost", () =>
  visit("/", async (page, server) => {
    await count(page, "Showing 5 items");
    await page.getByText("live", { exact: true }).waitFor();
    const [first] = exampleClusters;
    assert.ok(first);
    const added = {
      ...first,
      key: "9",
      name: "added",
      resourceId: first.resourceId.replace(/demo$/, "added"),
      provisioningState: "Creating",
    };
    server.putCluster(added);
    await count(page, "Showing 6 items");
    server.dropStreams();
    server.putCluster({ ...added, provisioningState: "Failed", failedProvisioningState: "Creating" });
    await page.getByRole("row", { name: /added .*Failed - Creating/ }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    server.removeCluster(added);
    await count(page, "Showing 5 items");
  }));

test("SSH is requested in a dialog, which closes with Escape and restores the focus", () =>
  visit(demo, async (page) => {
    await page.locator("button[aria-label='SSH']").click();
    await page.locator("#sshModal #sshDropdown").selectOption({ label: "master-2" });
    await page.locator("#sshButton").click();
    assert.match(await page.locator("#sshCommand input[type=text]").inputValue(), /^ssh /);
    assert.notEqual(await page.locator("#sshCommand input[type=password]").inputValue(), "");
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press("Escape");
    await page.locator("#sshModal").waitFor({ state: "detached" });
    assert.equal(await page.evaluate("document.activeElement.ariaLabel"), "SSH");
  }));

test("a kubeconfig is downloaded with the name from the portal", () =>
  visit("/", async (page) => {
    const row = page.getByRole("row", { name: /^demo / });
    await row.locator("button[aria-label='Download Kubeconfig']").click();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    assert.equal((await downloading).suggestedFilename(), "demo-elevated.kubeconfig");
    await page.getByText("Downloaded demo-elevated.kubeconfig").waitFor();
    assert.equal(await row.locator("a[aria-label='Prometheus']").getAttribute("href"), `${demo}/prometheus/`);
  }));

test("a session is revoked, and no longer listed", () =>
  visit(`${demo}/sessions`, async (page) => {
    await page.getByRole("button", { name: /^Revoke kubeconfig/ }).click();
    await page.getByRole("button", { name: /^Revoke kubeconfig/ }).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("button", { name: /^Revoke/ }).count(), 1);
  }));

test("a person's sessions are listed with their clusters, and revoked", () =>
  visit("/", async (page) => {
    await page.locator("#UserButton").click();
    await page.getByRole("link", { name: "My sessions" }).click();
    await page.getByRole("heading", { name: "My sessions" }).waitFor();
    await page.getByRole("link", { name: "demo", exact: true }).first().waitFor();
    await page.getByRole("button", { name: /^Revoke kubeconfig/ }).click();
    await page.getByRole("button", { name: /^Revoke kubeconfig/ }).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("button", { name: /^Revoke/ }).count(), 1);
  }));

test("with elevation the sessions and sign-ins of another person are ended", () =>
  visit("/sessions", async (page) => {
    await page.getByLabel("User name").fill("ada@example.com");
    await page.getByRole("button", { name: "Show sessions" }).click();
    await page.getByRole("heading", { name: "Sessions of ada@example.com" }).waitFor();
    await page.getByRole("button", { name: "End all sign-ins" }).click();
    await page.getByText("The person has no open session.").waitFor();
  }));

test("a running operation is watched on the first page of its cluster", () =>
  visit(demo, async (page, server) => {
    await page.getByText("live", { exact: true }).waitFor();
    server.putOperation(install(30, 1));
    await page.getByRole("button", { name: "Notify me at its end" }).click();
    await page.getByRole("button", { name: "You will be notified", pressed: true }).waitFor();
    await page.locator("div[name='Timeline']").click();
    await page.getByRole("button", { name: "You will be notified", pressed: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "You will be notified" }).count(), 1);
    server.putOperation(install(100, 3));
    await page.getByText("Update of demo succeeded").waitFor();
  }));

test("the end of a watched operation is announced on every page, also after a reload and missed events", () =>
  visit(`${demo}/timeline`, async (page, server) => {
    await page.getByText("live", { exact: true }).waitFor();
    server.putOperation(install(30, 1));
    await page.getByRole("button", { name: "Notify me at its end" }).press("Enter");
    assert.deepEqual(await violationsOf(page), []);
    await page.reload();
    await page.getByRole("button", { name: "You will be notified", pressed: true }).waitFor();
    await page.getByRole("link", { name: "All clusters" }).click();
    await page.getByRole("row").nth(1).waitFor();
    server.dropStreams();
    server.putOperation(install(100, 3));
    const notices = page.getByRole("region", { name: "Notices" });
    await notices.getByText("Update of demo succeeded").waitFor();
    assert.equal(await notices.getAttribute("aria-live"), "polite");
    assert.deepEqual(await violationsOf(page), []);
    await notices.getByRole("link", { name: "Show the operation" }).press("Enter");
    await page.waitForURL(/timeline\?operation=/);
    assert.equal(await notices.getByRole("link").count(), 0);
  }));

test("browser notifications are shown only after the person has enabled them", () =>
  visit(
    `${demo}/timeline`,
    async (page, server) => {
      await page.evaluate(`{
        globalThis.shown = [];
        const permission = "granted";
        globalThis.Notification = class { static permission = permission;
          static requestPermission = async () => permission;
          constructor(title) { shown.push(title); } };
      }`);
      await page.getByText("live", { exact: true }).waitFor();
      const run = async (id: string) => {
        server.putOperation({ ...install(30, 1), id });
        await page.getByRole("button", { name: "Notify me at its end" }).click();
        server.putOperation({ ...install(100, 3), id });
        await page.getByRole("button", { name: /^Close: / }).click();
      };
      await run("first");
      assert.deepEqual(await page.evaluate("shown"), []);
      await page.locator("#UserButton").click();
      await page.getByLabel("Browser notifications").check();
      await page.keyboard.press("Escape");
      await run("second");
      assert.deepEqual(await page.evaluate("shown"), ["Update of demo succeeded"]);
    },
    { permissions: ["notifications"] },
  ));

test("a failed step leads to its log with retries, at a URL that can be shared", () =>
  visit(`${demo}/timeline`, async (page) => {
    await page.locator(".gantt .wait").waitFor();
    // A line without width is not visible for Playwright.
    await page.locator(".gantt .median").first().waitFor({ state: "attached" });
    await page.getByText("of which it waited 1 s for a worker").waitFor();
    await page.getByRole("button", { name: "Log of renewClientSecret" }).press("Enter");
    const log = page.getByRole("table", { name: "Log of renewClientSecret" });
    await log.getByRole("cell", { name: "step will be tried again after attempt 2" }).waitFor();
    await log.getByText("<script>alert(1)</script>").waitFor();
    await page.getByText("3 older lines were removed.").waitFor();
    await page.getByRole("cell", { name: "26.2 × 42 s" }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    assert.match(page.url(), /operation=op-update&step=renewClientSecret/);
    await page.reload();
    await log.waitFor();
    await page.getByRole("button", { name: "renewClientSecret", exact: true }).click();
    await log.waitFor({ state: "detached" });
  }));

test("Azure resources show the power of machines, and lead to the serial console and to routes", () =>
  visit(`${demo}/azureresources`, async (page) => {
    await page.getByRole("row", { name: /demo-x7k2p-worker-1 virtualMachines .* deallocated/ }).waitFor();
    await page.getByLabel("Filter Azure resources").fill("master");
    await page.getByRole("link", { name: "Serial console of demo-x7k2p-master-0" }).press("Enter");
    await page
      .getByLabel("Log", { exact: true })
      .filter({ hasText: "<script>alert(1)</script>␛[2J" })
      .waitFor();
    assert.match(page.url(), /azureresources\?console=demo-x7k2p-master-0$/);
    assert.deepEqual(await violationsOf(page), []);
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    await downloading;
    await page.getByRole("link", { name: "All Azure resources" }).click();
    await page.getByRole("link", { name: "Effective routes of demo-x7k2p-master0-nic" }).click();
    await page.getByRole("row", { name: "0.0.0.0/0 VirtualAppliance 10.0.8.4 User Active egress" }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
  }));

const actions = `${demo}/actions`;

test("a reading action shows the cluster's output as text", () =>
  visit(actions, async (page) => {
    await page.getByLabel("Action", { exact: true }).selectOption("GET serialconsole");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("'vmName' is required.").waitFor();
    await page.getByLabel("vmName").fill("demo-x7k2p-master-0");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const text = page.getByLabel("Text of the result");
    await text.filter({ hasText: "<script>alert(1)</script>␛[2J" }).waitFor();
    assert.match(page.url(), /action=GET\+serialconsole/);
    assert.equal(
      await page.getByLabel("As curl", { exact: true }).inputValue(),
      `curl 'https://localhost:8443/admin${demo}/serialconsole?vmName=demo-x7k2p-master-0' -H "Authorization: Bearer $TOKEN"`,
    );
    assert.match(
      await page.getByLabel("Token for curl", { exact: true }).inputValue(),
      /^TOKEN=\$\(az account get-access-token --scope 'api:\/\/keelson-admin\/\.default' /,
    );
    assert.deepEqual(await violationsOf(page), []);
  }));

test("a destructive action runs after its review and the cluster's name, by keyboard, and is followed to its end", () =>
  visit(`${actions}?action=POST+stopvm`, async (page, server) => {
    await page.getByLabel("vmName").fill("demo-x7k2p-master-0");
    await page.getByLabel("deallocateVM").selectOption("true");
    await page.getByLabel("Reason").fill("incident 7");
    await page.getByLabel("Reason").press("Enter");
    const dialog = page.locator("#confirmAction");
    await dialog.getByText("vmName=demo-x7k2p-master-0 deallocateVM=true").waitFor();
    assert.deepEqual(await violationsOf(page), []);
    assert.equal(await dialog.getByRole("button", { name: "Run", exact: true }).isDisabled(), true);
    // The field for the name has the focus.
    await page.keyboard.type("demo");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByLabel("Text of the result").filter({ hasText: "waits for the machine" }).waitFor();
    await page.getByLabel("Text of the result").filter({ hasText: "done" }).waitFor();
    assert.equal(server.runs, 1);
    assert.deepEqual(await violationsOf(page), []);
  }));

test("a second person approves the request of a colleague", () =>
  visit(actions, async (page, server) => {
    await page.getByRole("button", { name: "Approve POST stopvm of ada@example.com" }).click();
    await page.getByRole("cell", { name: "ada@example.com, approved by sre@example.com" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Approve/ }).count(), 0);
    assert.equal(server.runs, 0);
  }));

test("maintenance is planned by the name of its task, and cancelled", () =>
  visit(`${demo}/maintenance`, async (page, server) => {
    await page.getByLabel("Task").selectOption({ label: "fix SSH" });
    await page.getByLabel("Not before").fill("2026-12-01T02:00");
    await page.getByRole("button", { name: "Review" }).click();
    await page.locator("#confirmAction").getByRole("button", { name: "Run", exact: true }).click();
    await page.getByLabel("Text of the result").filter({ hasText: "done" }).waitFor();
    await page.getByRole("button", { name: /^Cancel update operator flags/ }).click();
    await page.locator("#confirmAction").getByText("manifestId=m2").waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.locator("#confirmAction").getByRole("button", { name: "Run", exact: true }).click();
    await page.locator("#confirmAction").waitFor({ state: "detached" });
    assert.equal(server.runs, 2);
  }));

test("an upgrade shows its checks and the history, and runs after its review", () =>
  visit(`${demo}/upgrade`, async (page, server) => {
    await page.getByRole("row", { name: "Nodes Failed Not ready: <b>worker-0</b>" }).waitFor();
    await page.getByRole("row", { name: /^4\.18\.26 Completed/ }).waitFor();
    assert.equal(await page.getByLabel("Version", { exact: true }).inputValue(), "4.19.24");
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole("button", { name: "Review" }).click();
    const dialog = page.locator("#confirmAction");
    await dialog.getByText("version=4.19.24").waitFor();
    await dialog.getByLabel("Type demo to confirm").fill("demo");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(server.runs, 1);
  }));

test("an action without the role is shown, and cannot run", () =>
  visit(`${actions}?action=POST+etcdrecovery`, async (page) => {
    await page.getByText("This action needs the role elevated").waitFor();
    assert.equal(await page.getByRole("button", { name: "Review" }).isDisabled(), true);
  }));

test("a recording is read as a text, and played from its beginning", () =>
  visit(`${demo}/recordings`, async (page) => {
    await page.getByRole("cell", { name: /^sudo crictl ps/ }).waitFor();
    await page.getByRole("button", { name: /^Show shell of sre/ }).click();
    const terminal = page.getByLabel("What the terminal showed");
    const shows = (text: RegExp) => terminal.filter({ hasText: text }).waitFor();
    await shows(/is-active kubelet\sactive\s.*logout/);
    assert.deepEqual(await violationsOf(page), []);
    await page.clock.install();
    await page.getByRole("button", { name: "Play" }).click();
    await page.clock.runFor(500);
    await shows(/\$ *$/);
    await page.clock.runFor(6_000);
    await shows(/logout/);
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.getByLabel("Time of the recording").fill("3.2");
    await shows(/is-active kubelet\s*$/);
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    await downloading;
    await page.keyboard.press("Escape");
    await page.locator("#recording").waitFor({ state: "detached" });
  }));

test("an ended sign-in redirects to a new one and back to the same page", () =>
  visit(`${demo}/nodes?x=1`, async (page, server) => {
    await page.getByText("live", { exact: true }).waitFor();
    server.signOut();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForURL(/x=1/);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "demo-x7k2p-master-0" }).waitFor();
    assert.equal(server.signIns, 1);
  }));

for (const name of ["Sign out", "End all my sign-ins"])
  test(`${name} ends at a page that says so`, () =>
    visit("/", async (page) => {
      await page.locator("#UserButton").click();
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    }));

test("a cluster that does not respond is reported, and queried again", () =>
  visit(demo, async (page, server) => {
    server.failWith({ status: 404, code: "ClusterUnreachable", message: "The cluster did not answer." });
    await page.locator("div[name='Machines']").click();
    await page.getByText("The cluster did not answer.").waitFor();
    assert.deepEqual(await violationsOf(page), []);
    server.failWith();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "demo-x7k2p-master-0" }).waitFor();
  }));

test("the page of a deleted cluster shows that it does not exist", () =>
  visit(demo, async (page, server) => {
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    const [first] = exampleClusters;
    assert.ok(first);
    server.removeCluster(first);
    await page.getByText("Cluster not found. It was deleted, or the address is wrong.").waitFor();
    assert.equal(await page.locator("nav a").count(), 0);
    assert.deepEqual(await violationsOf(page), []);
  }));

test("a cluster that grants no rights yet is queried again automatically", () =>
  visit(demo, async (page, server) => {
    await page.clock.install();
    server.failWith({ status: 503, code: "AccessNotReady", message: "It grants no rights yet." });
    await page.locator("div[name='Machines']").click();
    await page.getByText("It grants no rights yet.").waitFor();
    server.failWith();
    await page.clock.fastForward(10_000);
    await page.getByRole("button", { name: "demo-x7k2p-master-0" }).waitFor();
  }));

test("charts follow duration and end, which the address keeps", () =>
  visit(`${demo}/apistatistics`, async (page) => {
    await page.locator("section.chart polyline").first().waitFor();
    assert.equal(await page.locator("section.chart").count(), 3);
    await page.getByLabel("Duration").selectOption("1d");
    await page.getByLabel("End time (UTC)").fill("2026-11-20T12:00");
    await page.waitForURL(/duration=1d&end=2026-11-20T12%3A00/);
    await page.locator("polyline").first().waitFor();
    await page.getByText("Values in a table").first().click();
    await page.getByRole("table").getByText("demo-x7k2p-master-2").waitFor();
  }));

test("regions and colours are chosen without a pointer; a choice of colours stays", () =>
  visit("/", async (page) => {
    await page.locator("#RegionNavButton").press("Enter");
    await page.locator("#RegionsPanel").getByRole("link", { name: "westeurope" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#UserButton").press("Enter");
    await page.getByRole("button", { name: "dark" }).press("Enter");
    const isDark = "document.documentElement.classList.contains('pf-v6-theme-dark')";
    assert.equal(await page.evaluate(isDark), true);
    await page.reload();
    await count(page, "Showing 5 items");
    assert.equal(await page.evaluate(isDark), true);
  }));
