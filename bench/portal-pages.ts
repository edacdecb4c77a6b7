import { randomBytes, randomUUID } from "node:crypto";
import process from "node:process";
import { issueCertificate, reserveFreePort, Secret, silentLogger, systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import { observe, type ServiceDatabase } from "@keelson/model";
import { Logins, loginCookie, SessionKeys, startPortal } from "@keelson/portal";
import { pagesDirectory } from "@keelson/portal-web";
import type { Browser } from "playwright-core";
import { storeCluster, subscriptionId } from "../services/portal/src/testing/store-cluster.ts";
import { openBrowser } from "../services/portal-web/src/testing/browser.ts";
import { figure, printTable } from "./support/table.ts";

const clusterCount = 2_000;
const visits = 15;
/** Expression that waits inside the page, so that the measured time does not include the browser driver's latency. */
const whenShown = (condition: string) => `globalThis.shown = new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (!(${condition})) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
});`;
const listIsThere =
  "document.querySelectorAll('[data-automation-key=name]').length > 0 && document.getElementById('UserButton')";

/**
 * Measures page loads of the portal in Chromium with 2,000 clusters. A load lasts from the navigation until the list is visible
 * and the page responds to events. Measures first with an empty browser cache and then with a filled one. For comparison, the
 * same portal also serves a page that contains only one word.
 */
export async function benchPortalPages(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const browser = await openBrowser().catch((error: unknown) => String(error));
  if (typeof browser === "string") {
    process.stdout.write(`first page: not measured, ${browser}\n\n`);
    return;
  }
  stack.defer(() => browser.close());
  const database = stack.use(await openStore());
  for (let index = 0; index < clusterCount; index++) {
    const key = await storeCluster(database, {}, `bench-${index}`);
    await storeHealth(database, key);
  }
  const key = new Secret(randomBytes(32).toString("base64"));
  const tls = await issueCertificate(undefined, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  await using reservation = await reserveFreePort();
  const url = `https://localhost:${reservation.port}`;
  await reservation[Symbol.asyncDispose]();
  stack.use(
    await startPortal({
      database,
      tls,
      host: "127.0.0.1",
      port: reservation.port,
      url,
      location: "eastus",
      assets: pagesDirectory.pathname,
      signIn: {
        // No request reaches this endpoint, because the benchmark creates the sign-in cookie directly.
        loginEndpoint: "https://localhost:1",
        tenantId: randomUUID(),
        clientId: randomUUID(),
        credential: { secret: new Secret(randomUUID()) },
        graphEndpoint: "https://localhost:1",
        sessionKeys: [key],
        groups: { access: [], operator: [], elevated: [] },
      },
      clock: systemClock,
      logger: silentLogger,
    }),
  );
  const value = await new Logins(new SessionKeys([key]), systemClock).seal(
    "bench@example.com",
    "elevated",
    0,
  );
  const visitor = { browser, url, value };
  const rows = [
    ["page, until it can be used", "median ms", "worst ms"],
    ["a word (yardstick)", ...(await measure(visitor, "/healthz/none", "document.body", false))],
    ["first visit", ...(await measure(visitor, "/", listIsThere, false))],
    ["next visit", ...(await measure(visitor, "/", listIsThere, true))],
  ];
  printTable(rows);
}

/** Stores monitoring results with problems for some of the clusters. */
async function storeHealth(database: ServiceDatabase, key: string): Promise<void> {
  const { clusters, clusterHealth } = database.collections;
  const cluster = await clusters.findBy(subscriptionId, "key", key, AbortSignal.timeout(60_000));
  if (!cluster) throw new Error(`no cluster ${key}`);
  const { id, partitionKey } = cluster.document;
  const none = { count: 0, names: [] };
  const summary = {
    apiServer: 200,
    unavailableOperators: none,
    degradedOperators: key.endsWith("7") ? { count: 1, names: ["ingress"] } : none,
    notReadyNodes: none,
    nodes: 6,
    criticalAlerts: none,
    warningAlerts: none,
    certificateDays: 60,
  };
  const observedAt = new Date().toISOString();
  const document = observe(undefined, { id, partitionKey, clusterKey: key, observedAt, summary });
  if (!document) throw new Error("an observation was not new");
  const write = create(clusterHealth, document);
  await database.commit(partitionKey, [write], { signal: AbortSignal.timeout(60_000) });
}

interface Visitor {
  readonly browser: Browser;
  readonly url: string;
  /** Value of the sign-in cookie. */
  readonly value: string;
}

/**
 * Returns the median and maximum duration of the visits, in milliseconds. The first visit is not counted, because it warms up the
 * portal.
 */
async function measure(
  { browser, url, value }: Visitor,
  path: string,
  condition: string,
  isCached: boolean,
): Promise<readonly string[]> {
  const times: number[] = [];
  // All visits use one window. In a new window, the browser would also load built-in pages during the visit.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ignoreHTTPSErrors: true,
  });
  await context.addCookies([{ name: loginCookie, value, domain: "localhost", path: "/", secure: true }]);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await page.addInitScript(whenShown(condition));
  for (let visit = 0; visit <= visits; visit++) {
    await page.goto("about:blank");
    if (!isCached) await devTools.send("Network.clearBrowserCache");
    await page.goto(url + path, { waitUntil: "commit" });
    const shown: number = await page.evaluate("shown");
    if (visit > 0) times.push(shown);
  }
  await context.close();
  times.sort((a, b) => a - b);
  return [times[Math.floor(times.length / 2)], times.at(-1)].map((each) => figure(each ?? Number.NaN));
}
