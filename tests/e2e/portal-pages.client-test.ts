/** Tests the portal's pages in Chromium. A person signs in, and the pages show data of a running service. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { tabNames, tabPath } from "../../services/portal-web/src/navigation/tabs.ts";
import { complaintsOf, openBrowser, violationsOf } from "../../services/portal-web/src/testing/browser.ts";
import { ArmClient } from "./support/arm-client.ts";
import { readEndpoints } from "./support/endpoints.ts";
import { Program, StateDirectory } from "./support/program.ts";

const slowMs = 300_000;

describe("the portal's pages", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  let program: Program;
  let portal: string;
  let arm: ArmClient;
  let browser: Browser;
  before(async () => {
    program = Program.start(
      "up",
      "--state",
      state.path,
      "--ports",
      "auto",
      "--operators",
      "shared",
      "--subnets-for",
      "second",
    );
    await program.says(/endpoints/);
    portal = readEndpoints(state.file("endpoints.json")).portal;
    arm = new ArmClient(state.file("endpoints.json"));
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await arm?.[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const resource = (name: string) => arm.cluster(name).toLowerCase();

  /** Opens a browser in which the administrator is signed in. */
  async function signedIn(
    use: (page: Page, context: BrowserContext) => Promise<void>,
    window: { width: number; colorScheme: "light" | "dark" } = { width: 1440, colorScheme: "light" },
  ): Promise<void> {
    const context = await browser.newContext({
      viewport: { width: window.width, height: 900 },
      colorScheme: window.colorScheme,
      reducedMotion: "reduce",
      ignoreHTTPSErrors: true,
    });
    context.setDefaultTimeout(slowMs);
    const complaints = complaintsOf(context);
    try {
      const page = await context.newPage();
      await page.goto(portal);
      await page.getByLabel(/administrator@keelson\.local/).check();
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.locator("#ClusterCount").waitFor();
      await use(page, context);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  }

  const opened = async (page: Page) => {
    await page.locator("#main").waitFor();
    await page.locator(".loading, [aria-busy=true]").first().waitFor({ state: "detached" });
  };

  test("after the sign-in, the clusters are listed and can be filtered out", () =>
    signedIn(async (page) => {
      await page.locator("[data-automation-key=name]", { hasText: "demo" }).waitFor();
      await page.getByPlaceholder("Filter on resource ID").fill("no such cluster");
      await page.locator("#ClusterCount", { hasText: "Showing 0 items" }).waitFor();
      await page.getByPlaceholder("Filter on resource ID").fill("/resourcegroups/demo/");
      await page.locator("#ClusterCount", { hasText: "Showing 1 item" }).waitFor();
    }));

  test("the monitor's health of a cluster is in the list, and counts as a filter", () =>
    signedIn(async (page) => {
      // The monitor scrapes a new cluster within two minutes.
      await page.locator(".health-cell").getByText(/^seen/).first().waitFor();
      await page.keyboard.press("/");
      await page.getByRole("combobox", { name: "Cluster or page" }).fill("demo alerts");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Alerts", level: 2 }).waitFor();
    }));

  for (const window of [
    { width: 1440, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
  ] as const)
    test(`every page of a cluster shows its subject, and axe finds no fault (${window.width} wide, ${window.colorScheme})`, () =>
      signedIn(async (page) => {
        for (const name of tabNames) {
          await page.goto(`${portal}${resource("demo")}/${tabPath(name)}`);
          await opened(page);
          assert.deepEqual(await page.locator(".failure").allInnerTexts(), [], name);
          assert.deepEqual(await violationsOf(page), [], name);
        }
      }, window));

  test("nodes, operators, charts and the install's steps are those of the cluster", () =>
    signedIn(async (page) => {
      const shows = async (tab: string, text: RegExp) => {
        await page.locator(`div[name='${tab}']`).click();
        await page.locator("section.tab").getByText(text).first().waitFor();
      };
      await page.getByRole("link", { name: "demo", exact: true }).click();
      await shows("Overview", /openshiftclusters\/demo$/);
      await shows("Nodes", /^demo-\S+-master-0$/);
      await shows("Machines", /^demo-\S+-worker-/);
      await shows("ClusterOperators", /^kube-apiserver$/);
      await shows("Actions", /^POST redeployvm$/);
      await shows("Alerts", /^Watchdog$/);
      await shows("Events", /^Pod\//);
      await page.locator("div[name='Resources']").click();
      await page.getByLabel("Kind", { exact: true }).fill("ClusterVersion");
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await page.getByRole("link", { name: "version", exact: true }).click();
      await page.getByRole("region", { name: "YAML" }).filter({ hasText: "kind: ClusterVersion" }).waitFor();
      await page.locator("div[name='Pods']").click();
      await page.getByLabel("Filter pods").fill("prometheus-k8s-0");
      await page.getByRole("button", { name: "prometheus-k8s-0" }).click();
      await page
        .getByRole("link", { name: /^Log of/ })
        .first()
        .click();
      await page.getByRole("region", { name: "Log" }).waitFor();
      await page.locator("div[name='AzureResources']").click();
      await page.getByLabel("Filter Azure resources").fill("master-0");
      await page.getByRole("row", { name: /virtualMachines .* running/ }).waitFor();
      await page.getByRole("link", { name: /^Serial console of / }).click();
      await page.getByRole("region", { name: "Log" }).filter({ hasText: "Linux version" }).waitFor();
      await page.getByRole("link", { name: "All Azure resources" }).click();
      await page.getByLabel("Filter Azure resources").fill("networkInterfaces master0");
      await page
        .getByRole("link", { name: /^Effective routes of / })
        .first()
        .click();
      await page.getByRole("cell", { name: "VnetLocal" }).waitFor();
      await page.locator("div[name='APIStatistics']").click();
      // Before its second scrape, a cluster has a single value, which is drawn as a dot. Before its first scrape, a cluster has
      // no value.
      const drawn = page.locator("section.chart :is(polyline, circle):visible").first();
      for (; !(await drawn.isVisible()); await page.waitForTimeout(1_000))
        await page.getByRole("button", { name: "Now", exact: true }).click();
      await page.locator("div[name='Timeline']").click();
      await page.locator(".gantt .bar.succeeded, .gantt .bar.running").first().waitFor();
      assert.ok((await page.locator(".gantt .bar").count()) > 20);
      await page.locator("button", { hasText: "Table" }).click();
      await page.getByRole("cell", { name: / × / }).first().waitFor();
    }));

  test("an install is followed from its request to its end without a reload, and a notice reports its end", () =>
    signedIn(async (page) => {
      await page.evaluate("globalThis.isSameDocument = true");
      await arm.createCluster("second");
      await page.getByRole("link", { name: "second", exact: true }).click();
      await page.getByRole("button", { name: "Notify me at its end" }).click();
      await page.locator("div[name='Timeline']").click();
      await page.locator(".operation-list button", { hasText: "Creating" }).first().waitFor();
      await page.locator(".gantt .bar").first().waitFor();
      const early = await page.locator(".gantt .bar").count();
      await page.locator(".title-row").getByText("Succeeded", { exact: true }).waitFor({ timeout: 900_000 });
      await page.locator(".operation-list button", { hasText: "Succeeded" }).waitFor();
      await page.locator(".gantt .bar.running").first().waitFor({ state: "detached" });
      assert.ok((await page.locator(".gantt .bar").count()) > early);
      const notices = page.getByRole("region", { name: "Notices" });
      await notices.getByText("Creation of second succeeded").waitFor();
      await notices.getByRole("link", { name: "Show the operation" }).click();
      await page.waitForURL(/timeline\?operation=/);
      assert.equal(await page.evaluate("globalThis.isSameDocument"), true);
    }));

  test("an alert shows the command that silences it", () =>
    signedIn(async (page) => {
      await page.getByRole("link", { name: "demo", exact: true }).click();
      await page.locator("div[name='Alerts']").click();
      await page.getByRole("button", { name: "Watchdog" }).click();
      assert.match(
        await page.getByLabel("Silence for two hours", { exact: true }).inputValue(),
        /^oc --kubeconfig demo-elevated\.kubeconfig .* amtool silence add alertname=Watchdog /,
      );
    }));

  test("a secret expires by the console's clock, and the restarted operator of its cluster reports it in the portal", () =>
    signedIn(async (page, context) => {
      const { stdout } = await Program.run("sim", "console", "--state", state.path);
      const console = await context.newPage();
      await console.goto(stdout.trim());
      await console.getByRole("link", { name: "Clock", exact: true }).click();
      const secret = console.getByRole("row", { name: /cluster demo/ });
      await secret.getByRole("button", { name: /^Advance to the expiry of/ }).click();
      await secret.getByText("expired").waitFor();
      await page.goto(`${portal}${resource("demo")}/pods`);
      await page.getByLabel("Filter pods").fill("aro-operator-master");
      const pod = await page.getByRole("button", { name: /^aro-operator-master-/ }).innerText();
      await page.goto(`${portal}${resource("demo")}/actions?action=DELETE+kubernetesobjects`);
      await page.getByLabel(/^kind\b/).fill("Pod");
      await page.getByLabel(/^namespace\b/).fill("openshift-azure-operator");
      await page.getByLabel(/^name\b/).fill(pod.trim());
      await page.getByRole("button", { name: "Review" }).click();
      const dialog = page.locator("#confirmAction");
      await dialog.getByLabel("Type demo to confirm").fill("demo");
      await dialog.getByRole("button", { name: "Run", exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
      await page.goto(`${portal}${resource("demo")}/resources?kind=Cluster.aro.openshift.io&name=cluster`);
      const yaml = page.getByRole("region", { name: "YAML" });
      await yaml.waitFor();
      for (; !(await yaml.innerText()).includes("AADSTS7000222"); await page.waitForTimeout(1_000))
        await page.getByRole("button", { name: "Refresh" }).click();
      await console.getByRole("button", { name: "Return to the real time" }).click();
      await console.getByText(/UTC the real time$/).waitFor();
    }));

  test("a kubeconfig is downloaded, listed as a session and revoked", () =>
    signedIn(async (page) => {
      await page.goto(`${portal}${resource("demo")}/sessions`);
      await opened(page);
      await page.locator("button[aria-label='Download Kubeconfig']").click();
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download", exact: true }).click();
      assert.equal((await downloading).suggestedFilename(), "demo-elevated.kubeconfig");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Refresh" }).click();
      const revoke = page.getByRole("button", { name: /^Revoke kubeconfig/ });
      await revoke.first().click();
      await revoke.first().waitFor({ state: "detached" });
    }));

  test("SSH is requested in a dialog, which shows a command and a password", () =>
    signedIn(async (page) => {
      await page.locator("button[aria-label='SSH']").first().click();
      await page.locator("#sshDropdown").selectOption({ label: "master-1" });
      await page.locator("#sshButton").click();
      await page.locator("#sshCommand").waitFor();
    }));

  test("signing out ends the session, and the next visit requires a sign-in", () =>
    signedIn(async (page) => {
      await page.locator("#UserButton").click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
      await page.getByRole("link", { name: "Sign in again" }).click();
      await page.getByLabel(/administrator@keelson\.local/).waitFor();
    }));
});
