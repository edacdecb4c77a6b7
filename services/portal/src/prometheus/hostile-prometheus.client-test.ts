/** A hostile cluster opened in Chromium: no script of it runs in the portal's origin. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import {
  applyPrometheusReader,
  type GuardedCluster,
  startGuardedCluster,
} from "../testing/guarded-cluster.ts";
import { hostilePrometheus, lootPath } from "../testing/hostile-prometheus.ts";
import { storeCluster } from "../testing/store-cluster.ts";
import { startTestPortal, type TestPortal } from "../testing/test-portal.ts";

const signal = AbortSignal.timeout(120_000);
let at: TestPortal;
let cluster: GuardedCluster;
let browser: Browser;
let context: BrowserContext;
let id: string;

before(async () => {
  [at, cluster] = await Promise.all([startTestPortal(), startGuardedCluster(hostilePrometheus)]);
  await applyPrometheusReader(cluster.kube, signal);
  id = await storeCluster(at.database, cluster.kubeconfigs);
  const { browser: person } = await at.signedIn("administrator");
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
  assert.ok(executablePath, "Chromium is missing");
  browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  context = await browser.newContext({ ignoreHTTPSErrors: true });
  await context.addCookies(
    [...person.cookies].map(([name, value]) => {
      const flags = { secure: true, httpOnly: true, sameSite: "Lax" as const };
      return { name, value, url: at.portal.url, ...flags };
    }),
  );
});
after(async () => {
  await browser?.close();
  await at?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

const [subscription, group, name] = ["{subscription}", "{group}", "{name}"];
const data = `/api/${subscription}/${group}/${name}`;
const paths = [
  ...[
    "{id}/prometheus/api/v1/query?query=up",
    "{id}/prometheus/api/v1/label/job/values",
    "{id}/prometheus/-/ready",
  ],
  ...[
    "/nodes",
    "/machines",
    "/clusteroperators",
    "/operations",
    "/recordings",
    "/statistics/kubeapicpu?duration=1h",
  ].map((path) => `${data}${path}`),
];
for (const path of paths)
  test(`${path} runs no script of the cluster`, async () => {
    const segments = id.split("/");
    const target = path
      .replace("{id}", id)
      .replace(subscription, segments[2] ?? "")
      .replace(group, segments[4] ?? "")
      .replace(name, segments[8] ?? "");
    const page = await context.newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    // A download is not a page, and ends the navigation with an error.
    await page.goto(`${at.portal.url}${target}`).catch(() => undefined);
    await page.waitForTimeout(300);
    assert.deepEqual(
      requested.filter((each) => each !== new URL(target, at.portal.url).pathname),
      [],
      `nothing but the page itself, and not ${lootPath}`,
    );
    await page.close();
  });
