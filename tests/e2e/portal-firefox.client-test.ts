/** Tests the portal's main flows in Debian's Firefox. `portal-pages.client-test.ts` tests all pages in Chromium. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "puppeteer-core";
import { openFirefox } from "../../services/portal-web/src/testing/firefox.ts";
import { ArmClient } from "./support/arm-client.ts";
import { readEndpoints } from "./support/endpoints.ts";
import { Program, StateDirectory } from "./support/program.ts";

const slowMs = 300_000;

describe("the portal in Firefox", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  let program: Program;
  let browser: Browser;
  let page: Page;
  let portal: string;
  let demo: string;
  /** Script errors, and violations of the content security policy. */
  const complaints: string[] = [];

  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--without", "console");
    await program.says(/endpoints/);
    portal = readEndpoints(state.file("endpoints.json")).portal;
    await using arm = new ArmClient(state.file("endpoints.json"));
    demo = arm.cluster("demo").toLowerCase();
    browser = await openFirefox();
    page = await browser.newPage();
    page.setDefaultTimeout(slowMs);
    const complain = (text: string) => {
      const isPolicy = /Content.Security.Policy/i.test(text);
      // Ignores policy violations of pages outside the portal. Firefox reports a violation for the sign-in page of the simulated
      // Entra ID, which has no icon.
      if (!isPolicy || text.includes(portal)) complaints.push(text);
    };
    page.on("pageerror", (error) => complain(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && /Content.Security.Policy/i.test(message.text()))
        complain(message.text());
    });
  });
  after(async () => {
    await browser?.close();
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  /** Waits for an element with an accessible name, and clicks it. */
  const click = (role: string, name: string) =>
    page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click();
  /** Waits for an element that contains a text. */
  const shows = (selector: string, text: string) => page.locator(`${selector} ::-p-text(${text})`).wait();
  const fieldValue = (selector: string) => page.$eval(selector, (element) => Object(element).value);

  test("a person signs in through Entra ID and sees the clusters", async () => {
    await page.goto(portal);
    await page.locator("label ::-p-text(administrator@keelson.local)").click();
    await click("button", "Sign in");
    await page.locator("#ClusterCount ::-p-text(Showing 1 item)").wait();
  });

  test("the list of clusters is filtered, and the address keeps the filter", async () => {
    const filter = "[placeholder='Filter on resource ID']";
    await page.locator(filter).fill("no such cluster");
    await shows("#ClusterCount", "Showing 0 items");
    await page.locator(filter).fill("/resourcegroups/demo/");
    await shows("#ClusterCount", "Showing 1 item");
    assert.match(page.url(), /filter=/);
  });

  test("the overview of a cluster shows its resource ID and state", async () => {
    await click("link", "demo");
    await shows("section.tab", "openshiftclusters/demo");
    await shows(".title-row", "Succeeded");
    assert.ok(page.url().startsWith(`${portal}${demo}`), page.url());
  });

  test("an SSH command and a kubeconfig are requested", async () => {
    await page.locator("button[aria-label='SSH']").click();
    await page.locator("#sshModal #sshDropdown").wait();
    await page.select("#sshModal #sshDropdown", "1");
    await page.locator("#sshButton").click();
    await page.locator("#sshCommand input[type=text]").wait();
    assert.match(
      await fieldValue("#sshCommand input[type=text]"),
      /; ssh -o .* -p \d+ administrator@localhost$/,
    );
    await page.keyboard.press("Escape");
    await page.waitForSelector("#sshModal", { hidden: true });
    await page.locator("button[aria-label='Download Kubeconfig']").click();
    await click("button", "Download");
    await page.locator("::-p-text(Downloaded demo-elevated.kubeconfig)").wait();
  });

  test("an action is run, and its result is shown", async () => {
    await page.goto(`${portal}${demo}/actions?action=GET+top%2Fnodes`);
    await click("button", "Run");
    await page.locator("[aria-label='Text of the result']").wait();
    assert.deepEqual(complaints, []);
  });
});
