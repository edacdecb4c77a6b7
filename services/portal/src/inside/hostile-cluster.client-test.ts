/**
 * Opens every page of a hostile cluster in Chromium. The API server, the admin API and the stored documents contain attacks. The
 * test verifies that no script runs and that each page stays responsive. Data that cannot be read must appear as an error on the
 * page.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ResourceKey } from "@keelson/arm";
import { create } from "@keelson/database";
import type { ClusterProperties } from "@keelson/model";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { contextOf, openChromium } from "../testing/chromium.ts";
import {
  attack,
  type HostileApiServer,
  type HostileKind,
  hostileKinds,
  lootPath,
  startHostileApiServer,
} from "../testing/hostile-api-server.ts";
import { storeCluster, subscriptionId } from "../testing/store-cluster.ts";
import { startTestPortal, type TestPortal } from "../testing/test-portal.ts";

const signal = AbortSignal.timeout(900_000);
const pages = fileURLToPath(new URL("../../../portal-web/dist/", import.meta.url));
let at: TestPortal;
let browser: Browser;
let context: BrowserContext;
const servers = new Map<HostileKind, HostileApiServer>();
/** Lower-case resource IDs of the clusters. */
const ids = new Map<HostileKind, string>();

before(async () => {
  at = await startTestPortal({ withAdminApi: true, assets: pages });
  at.adminApi.respondWith(({ url }) => adminResponse(url));
  const consoleProfile = { url: `javascript:fetch("${lootPath}")` };
  for (const kind of Object.keys(hostileKinds) as HostileKind[]) {
    const server = await startHostileApiServer(kind);
    servers.set(kind, server);
    const properties: Partial<ClusterProperties> = { ...server.kubeconfigs, consoleProfile };
    ids.set(kind, await storeCluster(at.database, properties, kind));
  }
  // The cast is safe, because the ID of a stored cluster is its key.
  await storeOperation(ids.get("strings") as ResourceKey);
  browser = await openChromium();
  context = await contextOf(browser, await at.signedIn("administrator"), at.portal.url);
});
after(async () => {
  await browser?.close();
  for (const server of servers.values()) await server[Symbol.asyncDispose]();
  await at?.[Symbol.asyncDispose]();
});

/** Returns responses of the admin API that contain strings of a hostile cluster. */
function adminResponse(url: string): { status: number; body: string; headers?: Record<string, string> } {
  const headers = { "content-type": "application/json" };
  if (url.includes("/serialconsole")) return { status: 200, body: `${attack}\n`.repeat(20_000) };
  if (url.includes("/effectiveroutetable")) {
    const route = { name: attack, addressPrefix: [attack], nextHopType: attack, nextHopIpAddress: [attack] };
    return { status: 200, headers, body: JSON.stringify({ value: [route] }) };
  }
  if (url.endsWith("/resources")) {
    const vm = {
      name: attack,
      type: "Microsoft.Compute/virtualMachines",
      location: attack,
      properties: attack,
    };
    return { status: 200, headers, body: JSON.stringify(Array.from({ length: 300 }, () => vm)) };
  }
  if (url.includes("/upgrade")) {
    const check = { name: attack, passed: true, message: attack };
    const body = JSON.stringify({ version: attack, channel: attack, available: [attack], checks: [check] });
    return { status: 200, headers, body };
  }
  return { status: 500, headers, body: JSON.stringify({ error: { code: attack, message: attack } }) };
}

/** Stores a failed operation with an error and log lines that contain attacks. */
async function storeOperation(openShiftClusterKey: ResourceKey): Promise<void> {
  const { operations, journal, stepLogs } = at.database.collections;
  const [id, time] = [randomUUID(), "2026-01-01T00:00:00.000Z"];
  const place = { partitionKey: subscriptionId, openShiftClusterKey };
  const error = { code: attack, message: attack };
  const asyncOperation = {
    ...{ id, name: id, status: "Failed" as const, startTime: time, endTime: time, error },
  };
  const entry = {
    at: time,
    level: "error" as const,
    message: attack,
    details: attack,
    attempt: 1,
    error: attack,
  };
  const ofStep = { ...place, id: `${id}.a`, operationId: id, step: "a" };
  const record = {
    ...{ ...ofStep, state: "failed" as const, attempt: 1, worker: "w", generation: 1 },
    ...{ startedAt: time, finishedAt: time, error: attack },
  };
  const result = await at.database.commit(
    subscriptionId,
    [
      create(operations, { ...place, id, kind: "Updating" as const, asyncOperation }),
      create(journal, record),
      create(stepLogs, { ...ofStep, entries: [entry], omitted: 0 }),
    ],
    { signal },
  );
  assert.equal(result.kind, "committed");
}

interface Visit {
  /** Status codes of the page's requests for cluster data, by path. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly text: string;
}

/** Opens a page and waits until it shows its data or an error. Asserts that no script from the cluster ran. */
async function visit(path: string): Promise<Visit> {
  const page = await context.newPage();
  const [problems, statuses] = [[] as string[], new Map<string, number>()];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== new URL(at.portal.url).origin && origin !== "null") problems.push(request.url());
    if (pathname === lootPath) problems.push(`a script requested ${pathname}`);
  });
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!isOfCluster(pathname)) return;
    statuses.set(pathname, response.status());
    const { "content-type": type = "", "content-security-policy": policy } = response.headers();
    if (!/^(application\/json|text\/event-stream)/.test(type)) problems.push(`${pathname} is ${type}`);
    if (policy !== "default-src 'none'; sandbox") problems.push(`${pathname} is not sandboxed`);
  });
  page.on("dialog", (dialog) => problems.push(`dialog ${dialog.message()}`));
  page.on("pageerror", (error) => problems.push(`${path}: ${error}`));
  try {
    await page.goto(at.portal.url + path);
    await page
      .locator("#main")
      .waitFor()
      .catch((cause: unknown) => {
        throw new Error(`${path} does not appear: ${problems.join("; ")}`, { cause });
      });
    await page.locator(".loading, [aria-busy=true]").first().waitFor({ state: "detached", timeout: 120_000 });
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    assert.deepEqual(await scriptsOf(page), []);
    assert.deepEqual(problems, [], path);
    return { statuses, text: await page.locator("#main").innerText() };
  } finally {
    await page.close();
  }
}

function isOfCluster(path: string): boolean {
  return new RegExp(`^/api/${subscriptionId}/|/prometheus/(api|-)/`).test(path);
}

/** Returns the elements and links on the page that could come from a hostile cluster. */
function scriptsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[
    ...document.querySelectorAll("#main script, #main img, #main iframe, #main object, #main [onerror]"),
    ...[...document.querySelectorAll("a[href]")].filter(({ protocol }) => !["https:", "blob:"].includes(protocol)),
  ].map(({ outerHTML }) => outerHTML)`);
}

/** Pages of a cluster with a query string, which selects a detail. The paths are relative to the path of the cluster. */
const details = [
  ...["prometheus?query=up", "prometheus?query=up&view=graph", "resources?kind=Pod"],
  ...[
    "resources?kind=Pod&namespace=openshift-etcd&name=a",
    "pods?namespace=openshift-etcd&pod=a&container=c",
  ],
  ...["azureresources?console=a", "azureresources?routes=a", "timeline?step=a"],
  "actions?action=GET+serialconsole",
];
/** Pages that read from the API server. They must request its data. */
const inside = [
  ...["nodes", "machines", "machinesets", "clusteroperators", "events", "pods", "alerts"],
  ...["apistatistics", "resources"],
];
/** Maximum number of pages that are open at the same time. */
const mostPages = 4;

/** Returns the names of all pages in the navigation of a cluster. */
async function tabsOf(id: string): Promise<readonly string[]> {
  const page = await context.newPage();
  await page.goto(at.portal.url + id);
  await page.locator("nav a").first().waitFor();
  const paths: readonly string[] = await page.evaluate(
    `[...document.querySelectorAll("nav a")].map(({ pathname }) => pathname)`,
  );
  await page.close();
  const tabs = paths.filter((path) => path.startsWith(`${id}/`)).map((path) => path.slice(id.length + 1));
  assert.ok(tabs.length >= 20, paths.join(" "));
  for (const path of inside) assert.ok(tabs.includes(path), path);
  return tabs;
}

/** Opens several pages concurrently. Returns the visits by path. */
async function visitAll(paths: readonly string[]): Promise<ReadonlyMap<string, Visit>> {
  const visits = new Map<string, Visit>();
  const left = [...paths];
  const work = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift())
      visits.set(path, await visit(path));
  };
  await Promise.all(Array.from({ length: mostPages }, work));
  return visits;
}

describe("every page of a hostile cluster", { timeout: 1_800_000 }, () => {
  for (const kind of Object.keys(hostileKinds) as HostileKind[])
    test(`runs no script and stays responsive for responses of the kind ${kind}`, async () => {
      const id = ids.get(kind) ?? "";
      const tabs = await tabsOf(id);
      const visits = await visitAll([
        ...(kind === "strings" ? ["/", "/alerts", "/sessions"] : []),
        ...[...tabs, ...details].map((path) => `${id}/${path}`),
      ]);
      for (const [path, { statuses }] of visits)
        for (const [target, status] of statuses)
          assert.ok([200, 404, 409, 502, 503, 504].includes(status), `${path}: ${target} ${status}`);
      assert.ok((servers.get(kind)?.count() ?? 0) > 0);
      const text = (path: string) => visits.get(`${id}/${path}`)?.text ?? "";
      if (kind === "strings")
        for (const path of [
          ...["nodes", "machines", "machinesets", "clusteroperators", "events", "pods", "azureresources"],
          ...["azureresources?console=a", "azureresources?routes=a", "timeline?step=a", "upgrade"],
          ...["resources?kind=Pod", "resources?kind=Pod&namespace=openshift-etcd&name=a"],
          "pods?namespace=openshift-etcd&pod=a&container=c",
        ])
          assert.match(text(path), /<img/, `${path} shows the strings`);
      // Large objects are valid, so pages show some of their fields as text.
      else if (kind !== "large")
        for (const path of inside) assert.doesNotMatch(text(path), /<script>|<img/, path);
    });
});
