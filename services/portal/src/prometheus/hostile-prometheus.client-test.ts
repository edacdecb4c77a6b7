/** Tests a hostile cluster in Chromium. No script from the cluster may run in the portal's origin. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { contextOf, openChromium } from "../testing/chromium.ts";
import { lootPath } from "../testing/hostile-api-server.ts";
import { type HostilePortal, startHostilePortal } from "../testing/hostile-prometheus.ts";

let hostile: HostilePortal;
let browser: Browser;
let context: BrowserContext;

before(async () => {
  hostile = await startHostilePortal();
  const { at } = hostile;
  browser = await openChromium();
  context = await contextOf(browser, await at.signedIn("administrator"), at.portal.url);
});
after(async () => {
  await browser?.close();
  await hostile?.[Symbol.asyncDispose]();
});

const paths: readonly (readonly [of: "id" | "data", path: string])[] = [
  ["id", "/prometheus/api/v1/query?query=up"],
  ["id", "/prometheus/api/v1/label/job/values"],
  ["id", "/prometheus/-/ready"],
  ["data", "/nodes"],
  ["data", "/machines"],
  ["data", "/clusteroperators"],
  ["data", "/alerts"],
  ["data", "/events"],
  ["data", "/pods"],
  ["data", "/pods/openshift-monitoring/prometheus-k8s-0/c/log"],
  ["data", "/pods/openshift-monitoring/prometheus-k8s-0/c/log-file"],
  ["data", "/objects?kind=pod"],
  ["data", "/object?kind=pod&namespace=openshift-monitoring&name=prometheus-k8s-0"],
  ["data", "/operations"],
  ["data", "/recordings"],
  ["data", "/statistics/kubeapicpu?duration=1h"],
];
for (const [of, path] of paths)
  test(`${path} of the cluster's ${of} runs no script of the cluster`, async () => {
    const target = `${hostile[of]}${path}`;
    const { url } = hostile.at.portal;
    const page = await context.newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    // The response is downloaded and not displayed, so the navigation fails with an error.
    await page.goto(`${url}${target}`).catch(() => undefined);
    await page.waitForTimeout(300);
    assert.deepEqual(
      requested.filter((each) => each !== new URL(target, url).pathname),
      [],
      `nothing but the page itself, and not ${lootPath}`,
    );
    await page.close();
  });
