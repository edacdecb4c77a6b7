import type { OperationView } from "@keelson/portal-api";
import type { Page } from "playwright-core";
import { resourcePath } from "../api/cluster-path.ts";
import { fleetPages } from "../navigation/fleet-pages.ts";
import { tabNames, tabPath } from "../navigation/tabs.ts";
import { exampleDetail } from "./example-detail.ts";
import type { ExampleServer } from "./example-server.ts";

/** State of a page that the accessibility test checks: the page itself, one of its details, or a dialog. */
export interface PageView {
  /** Name in messages. The name of a dialog's view contains the dialog's ID. */
  readonly name: string;
  /** Path with the query string. */
  readonly path: string;
  /** Sets the responses of the server before the page is opened. */
  readonly prepare?: (server: ExampleServer) => void;
  /** Opens the detail, and waits until it is visible. */
  readonly open?: (page: Page, server: ExampleServer) => Promise<unknown>;
}

const demo = resourcePath(exampleDetail);
const failed = resourcePath({ ...exampleDetail, resourceGroup: "data", name: "analytics" });

/** Views of all pages of the router, without details. A new page is checked without a change here. */
export const routedViews: readonly PageView[] = [
  ...fleetPages.map(({ path }) => ({ name: path, path })),
  ...tabNames.map((name) => ({ name, path: `${demo}/${tabPath(name)}` })),
];

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first();
const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const chooses = (action: string) => `${demo}/actions?${new URLSearchParams({ action })}`;
/** Clicks a button of the first cluster's row or title. */
const click = (label: string) => (page: Page) =>
  page.locator(`button[aria-label='${label}']`).first().click();

const running: OperationView = {
  ...{ id: "running", kind: "Updating", state: "Updating", percentComplete: 30 },
  currentSteps: ["second", "configureIngressCertificate"],
  startTime: new Date(Date.now() - 60_000).toISOString(),
  steps: [
    {
      ...{ name: "first", attempts: 2, outcome: "succeeded" },
      startedAt: new Date(Date.now() - 50_000).toISOString(),
      endedAt: new Date(Date.now() - 40_000).toISOString(),
    },
    {
      ...{ name: "second", attempts: 1, outcome: "running" },
      startedAt: new Date(Date.now() - 40_000).toISOString(),
    },
  ],
};

/** Details and dialogs. A test checks that every dialog and every query parameter of a page has a view. */
export const detailViews: readonly PageView[] = [
  { name: "unknown page", path: "/nowhere/at/all" },
  {
    name: "signed out",
    path: "/",
    open: async (page) => {
      await page.locator("#UserButton").click();
      await button(page, "Sign out").click();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    },
  },
  { name: "no clusters", path: "/?filter=nowhere&sort=Health&region=none" },
  { name: "sessions of a person", path: "/sessions?username=ada@example.com" },
  {
    name: "quickSearch",
    path: "/",
    open: async (page) => {
      await page.locator("#SearchButton").click();
      await page.getByRole("combobox", { name: "Cluster or page" }).fill("demo");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "regions",
    path: "/",
    open: async (page) => {
      await page.locator("#RegionNavButton").click();
      await page.locator("#RegionsPanel").getByRole("link").first().waitFor();
    },
  },
  {
    name: "user",
    path: "/",
    open: async (page) => {
      await page.locator("#UserButton").click();
      await page.locator("#UserPanel").getByText("Keelson").waitFor();
    },
  },
  {
    name: "sshModal",
    path: demo,
    open: async (page) => {
      await click("SSH")(page);
      await page.locator("#sshButton").waitFor();
    },
  },
  {
    name: "sshModal with a password",
    path: demo,
    open: async (page) => {
      await click("SSH")(page);
      await page.locator("#sshDropdown").selectOption({ label: "master-1" });
      await page.locator("#sshButton").click();
      await page.locator("#sshCommand").waitFor();
    },
  },
  {
    name: "sshModal without the role",
    path: demo,
    prepare: (server) => server.signInAs({ role: "operator", elevated: false, mayElevate: true }),
    open: async (page) => {
      await click("SSH")(page);
      await page.locator("#sshButton").click();
      await page.locator("#sshModal").getByRole("link", { name: "Actions" }).waitFor();
    },
  },
  {
    name: "user with an activated role",
    path: "/",
    prepare: (server) => server.signInAs({ mayElevate: true, elevatedUntil: "2026-11-27T02:00:00Z" }),
    open: async (page) => {
      await page.locator("#UserButton").click();
      await shows(page, /elevated\) until/);
    },
  },
  {
    name: "kubeconfigModal with an activated role",
    path: demo,
    prepare: (server) => server.signInAs({ mayElevate: true, elevatedUntil: "2026-11-27T02:00:00Z" }),
    open: async (page) => {
      await click("Download Kubeconfig")(page);
      await shows(page, /not longer than your role elevated/);
    },
  },
  {
    name: "form without the role",
    path: chooses("POST etcdrecovery"),
    prepare: (server) => server.signInAs({ role: "operator", elevated: false }),
    open: (page) => shows(page, /Your groups do not grant the role elevated/),
  },
  {
    name: "kubeconfigModal",
    path: demo,
    open: async (page) => {
      await click("Download Kubeconfig")(page);
      await button(page, "Download").click();
      await shows(page, /^Downloaded|Downloaded demo/);
    },
  },
  { name: "failed cluster", path: failed, open: (page) => page.locator("#ClusterFailure").waitFor() },
  {
    name: "cluster without a response",
    path: `${demo}/machines`,
    prepare: (server) =>
      server.failWith({ status: 502, code: "ClusterUnreachable", message: "No response." }),
    open: (page) => shows(page, "No response."),
  },
  ...["Nodes", "Machines"].map((name) => ({
    name: `detail of ${name}`,
    path: `${demo}/${name.toLowerCase()}`,
    open: (page: Page) => button(page, /-master-0$/).click(),
  })),
  {
    name: "alert of the fleet",
    path: "/alerts",
    open: async (page) => {
      await button(page, "KeelsonWorkerNotReady").click();
      await page.locator(".runbook li").first().waitFor();
    },
  },
  {
    name: "alert",
    path: `${demo}/alerts`,
    open: (page) => button(page, "KubeNodeNotReady").click(),
  },
  {
    name: "step log",
    path: `${demo}/timeline?operation=op-update&step=renewClientSecret`,
    open: (page) => page.getByRole("table", { name: "Log of renewClientSecret" }).waitFor(),
  },
  {
    name: "comparison with medians",
    path: `${demo}/timeline`,
    open: async (page) => {
      await page.locator("button", { hasText: "Table" }).click();
      await page.getByRole("cell", { name: / × / }).first().waitFor();
    },
  },
  {
    name: "list with a running operation",
    path: "/",
    open: async (page, server) => {
      await shows(page, /^live$/);
      server.putOperation(running);
      await shows(page, /^30 %$/);
    },
  },
  {
    name: "overview with a running operation",
    path: demo,
    open: async (page, server) => {
      await shows(page, /^live$/);
      server.putOperation(running);
      await button(page, "Notify me at its end").click();
      await button(page, "You will be notified").waitFor();
    },
  },
  {
    name: "running operation",
    path: `${demo}/timeline`,
    prepare: (server) => server.putOperation(running),
    open: async (page) => {
      await button(page, "Notify me at its end").click();
      await button(page, "You will be notified").waitFor();
    },
  },
  {
    name: "notice",
    path: `${demo}/timeline`,
    prepare: (server) => server.putOperation(running),
    open: async (page, server) => {
      await shows(page, /^live$/);
      await button(page, "Notify me at its end").click();
      const endTime = new Date().toISOString();
      server.putOperation({
        ...running,
        endTime,
        state: "Succeeded",
        currentSteps: [],
        percentComplete: 100,
      });
      await page.getByRole("region", { name: "Notices" }).getByRole("link").waitFor();
    },
  },
  {
    name: "pod",
    path: `${demo}/pods`,
    open: async (page) => {
      await page.getByLabel("Filter pods").fill("etcd");
      await button(page, "etcd-demo-x7k2p-master-1").click();
    },
  },
  {
    name: "log",
    path: `${demo}/pods?namespace=openshift-etcd&pod=etcd-demo-x7k2p-master-1&container=etcd`,
    open: (page) => page.getByRole("region", { name: "Log" }).filter({ hasText: "panic" }).waitFor(),
  },
  {
    name: "objects",
    path: `${demo}/resources?kind=ConfigMap`,
    open: (page) => page.getByRole("link", { name: "cluster-config" }).waitFor(),
  },
  {
    name: "YAML",
    path: `${demo}/resources?kind=ConfigMap&namespace=openshift-etcd&name=cluster-config`,
    open: (page) => page.getByRole("region", { name: "YAML" }).waitFor(),
  },
  {
    name: "serial console",
    path: `${demo}/azureresources?console=demo-x7k2p-master-0`,
    open: (page) => page.getByLabel("Log", { exact: true }).waitFor(),
  },
  {
    name: "effective routes",
    path: `${demo}/azureresources?routes=demo-x7k2p-master0-nic`,
    open: (page) => page.getByRole("row", { name: /VirtualAppliance/ }).waitFor(),
  },
  {
    name: "values of a chart",
    path: `${demo}/apistatistics?duration=1d&end=2026-11-20T12:00`,
    open: (page) => page.getByText("Values in a table").first().click(),
  },
  {
    name: "result of a query",
    path: `${demo}/prometheus?query=up`,
    open: (page) => shows(page, 'up{job="kubelet"}'),
  },
  {
    name: "graph of a query",
    path: `${demo}/prometheus?query=up&view=graph&duration=1h&end=2026-11-20T12:00`,
    open: (page) => page.getByRole("img", { name: /lines/ }).waitFor(),
  },
  {
    name: "error of a query",
    path: `${demo}/prometheus?query=${encodeURIComponent("up{")}`,
    open: (page) => shows(page, "1:4: parse error"),
  },
  ...["GET serialconsole", "POST resize", "POST exec", "POST runjob", "POST etcdrecovery"].map((action) => ({
    name: `form of ${action}`,
    path: chooses(action),
    open: (page: Page) => page.getByRole("form", { name: action, exact: true }).waitFor(),
  })),
  {
    name: "confirmAction",
    path: chooses("POST stopvm"),
    open: async (page) => {
      await page.getByLabel("vmName").fill("demo-x7k2p-master-0");
      await page.getByLabel("Reason").fill("incident 7");
      await button(page, "Review").click();
      await page.locator("#confirmAction").getByLabel("Type demo to confirm").waitFor();
    },
  },
  {
    name: "approved request",
    path: `${demo}/actions`,
    open: async (page) => {
      await page.getByRole("button", { name: /^Approve POST stopvm/ }).click();
      await page.getByRole("cell", { name: /approved by/ }).waitFor();
    },
  },
  {
    name: "elevation, freeze",
    path: `${demo}/actions`,
    prepare: (server) =>
      server.govern({
        elevation: { maxMinutes: 60, eligible: true },
        freeze: { until: "2026-12-27T00:00:00Z", reason: "End of the year", emergency: true },
      }),
    open: (page) => page.getByLabel("Reason for the role").waitFor(),
  },
  {
    name: "active elevation, no admin API",
    path: `${demo}/actions`,
    prepare: (server) =>
      server.govern({
        elevation: { maxMinutes: 60, eligible: true, until: "2026-11-27T02:00:00Z" },
        unavailable: "The admin API is not configured.",
      }),
    open: (page) => button(page, "End it now").waitFor(),
  },
  {
    name: "planned maintenance",
    path: `${demo}/maintenance`,
    open: async (page) => {
      await page.getByLabel("Task").selectOption({ label: "fix SSH" });
      await button(page, "Review").click();
      await page.locator("#confirmAction").waitFor();
    },
  },
  {
    name: "upgrade for review",
    path: `${demo}/upgrade`,
    open: async (page) => {
      await button(page, "Review").click();
      await page.locator("#confirmAction").waitFor();
    },
  },
  {
    name: "recording",
    path: `${demo}/recordings`,
    open: async (page) => {
      await page.getByRole("button", { name: /^Show shell of sre/ }).click();
      await page.getByLabel("What the terminal showed").waitFor();
    },
  },
];
