import { randomBytes, randomUUID } from "node:crypto";
import process from "node:process";
import { issueCertificate, reserveFreePort, Secret, silentLogger, systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import { observe, type ServiceDatabase } from "@keelson/model";
import { Logins, loginCookie, SessionKeys, startPortal } from "@keelson/portal";
import { pagesFolder } from "@keelson/portal-web";
import type { Browser } from "playwright-core";
import { storeCluster, subscriptionId } from "../services/portal/src/testing/store-cluster.ts";
import { openBrowser } from "../services/portal-web/src/testing/browser.ts";
import { figure, printTable } from "./support/table.ts";

const clusterCount = 2_000;
const visits = 15;
/** Runs within the page, so that the way to the browser's driver is not part of a figure. */
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
 * The first visit of the portal's pages in Chromium, from the navigation until the list of 2,000 clusters can be used: drawn, and the
 * page's thread takes events again. Nothing is in the browser's cache; then the same with all files in it. The yardstick is a page of
 * one word from the same portal.
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
      assets: pagesFolder.pathname,
      signIn: {
        // The benchmark creates its cookie itself and never signs in.
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

/** Stores an observation with a problem in a part of the clusters. */
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

/** Median and worst of the visits, but for the first, in which the portal itself is cold. */
async function measure(
  { browser, url, value }: Visitor,
  path: string,
  condition: string,
  isCached: boolean,
): Promise<readonly string[]> {
  const times: number[] = [];
  // All visits share a window. The browser would load its own pages in a new one during the visit.
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
