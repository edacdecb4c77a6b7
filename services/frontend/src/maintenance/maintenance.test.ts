import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import { create, remove, replace } from "@keelson/database";
import { actuatorWorkers, type MaintenanceManifest, type MaintenanceManifestDocument } from "@keelson/model";
import { type FrontendWithCallers, startFrontendWithCallers } from "../testing/callers.ts";
import type { ClusterAddress } from "../testing/cluster-request.ts";
import { assertError, newCluster } from "../testing/clusters.ts";

const signal = new AbortController().signal;
const flags = "b41749fc-af26-4ab7-b5a1-e03f3ee4cba6";
let frontend: FrontendWithCallers;
let address: ClusterAddress;
before(async () => {
  frontend = await startFrontendWithCallers();
  address = await newCluster(frontend);
});
after(() => frontend[Symbol.asyncDispose]());

const manifestsUrl = ({ id }: ClusterAddress) => `/admin${id}/maintenancemanifests`;
const schedulesUrl = "/admin/maintenanceschedules";
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Writes a manifest in the same form as the scheduler or an actuator. */
async function store(
  manifest: Partial<MaintenanceManifest>,
  ofCluster = address,
  clusterDocumentId?: string,
): Promise<MaintenanceManifestDocument> {
  const key = resourceKey(ofCluster.id);
  const [, , subscription = ""] = key.split("/");
  const cluster = await frontend.database.collections.clusters.findBy(subscription, "key", key, signal);
  assert.ok(cluster);
  const document: MaintenanceManifestDocument = {
    id: randomUUID(),
    partitionKey: key,
    clusterResourceID: key,
    clusterDocumentId: clusterDocumentId ?? cluster.document.id,
    maintenanceManifest: {
      state: "Pending",
      maintenanceTaskID: flags,
      priority: 0,
      runAfter: 1_000,
      runBefore: 2_000,
      ...manifest,
    },
  };
  const write = create(frontend.database.collections.manifests, document);
  assert.equal((await frontend.database.commit(key, [write], { signal })).kind, "committed");
  return document;
}

describe("manifests", () => {
  test("are only for administrators", async () => {
    for (const url of [manifestsUrl(address), schedulesUrl, "/admin/billingdocuments"]) {
      assertError(await frontend.client.get(url), 403, "Forbidden");
    }
  });

  test("begin now and end in seven days by default", async () => {
    const earliest = nowSeconds();
    const put = await frontend.admin.put(manifestsUrl(address), { maintenanceTaskID: flags });
    assert.equal(put.status, 201, put.text);
    const { id, runAfter, runBefore, ...rest } = JSON.parse(put.text);
    assert.deepEqual(rest, { state: "Pending", maintenanceTaskID: flags });
    assert.ok(runAfter >= earliest && runAfter <= nowSeconds());
    assert.equal(runBefore, runAfter + 7 * 24 * 3600);
    const got = await frontend.admin.get(`${manifestsUrl(address)}/${id}`);
    assert.deepEqual(JSON.parse(got.text), JSON.parse(put.text));
  });

  test("keep the requested time and priority, and ignore a requested state", async () => {
    const asked = {
      maintenanceTaskID: "anything",
      priority: 3,
      runAfter: 5_000_000_000,
      runBefore: 6_000_000_000,
    };
    const body = { ...asked, createdBySchedule: "Weekly", id: "mine", state: "Completed" };
    const put = await frontend.admin.put(manifestsUrl(address), body);
    const { id, ...shown } = JSON.parse(put.text);
    assert.notEqual(id, "mine");
    assert.deepEqual(shown, { state: "Pending", createdBySchedule: "weekly", ...asked });
  });

  for (const { name, body, code, target } of [
    { name: "no task", body: {}, code: "InvalidParameter", target: "maintenanceTaskID" },
    {
      name: "a time in milliseconds",
      body: { maintenanceTaskID: flags, runAfter: 1_800_000_000_000_000 },
      code: "InvalidParameter",
      target: "runAfter",
    },
    {
      name: "an end before its begin",
      body: { maintenanceTaskID: flags, runAfter: 5_000_000_001, runBefore: 5_000_000_000 },
      code: "InvalidParameter",
      target: "runBefore",
    },
    {
      name: "a priority that is no integer",
      body: { maintenanceTaskID: flags, priority: 1.5 },
      code: "InvalidRequestContent",
      target: "priority",
    },
    { name: "no JSON", body: "{", code: "InvalidRequestContent", target: undefined },
  ]) {
    test(`${name} is refused`, async () => {
      const refused = await frontend.admin.put(manifestsUrl(address), body);
      assertError(refused, 400, code, undefined, target);
    });
  }

  test("name a task of a registered actuator, or any task while no actuator is registered", async () => {
    const { poolWorkers } = frontend.database.collections;
    const actuators = ["1", "2"].map((id) => ({
      id,
      partitionKey: actuatorWorkers,
      tasks: [`task ${id}`],
    }));
    const put = (maintenanceTaskID: string) =>
      frontend.admin.put(manifestsUrl(address), { maintenanceTaskID });
    assert.equal((await put("task 3")).status, 201);
    const writes = actuators.map((each) => create(poolWorkers, each));
    await frontend.database.commit(actuatorWorkers, writes, { signal });
    assert.equal((await put("task 1")).status, 201);
    assert.equal((await put("task 2")).status, 201);
    assertError(await put("task 3"), 400, "InvalidParameter", undefined, "maintenanceTaskID");
    for (const { id } of actuators) {
      const stored = await poolWorkers.find(actuatorWorkers, id, signal);
      assert.ok(stored);
      await frontend.database.commit(actuatorWorkers, [remove(poolWorkers, stored)], { signal });
    }
  });

  test("of a cluster that does not exist, or is being deleted, are not found", async () => {
    const gone = { ...address, id: `${address.id}x` };
    assertError(await frontend.admin.get(manifestsUrl(gone)), 404, "ResourceNotFound");
    const deleting = await newCluster(frontend);
    const { id } = await store({}, deleting);
    assert.equal((await frontend.client.delete(deleting.url)).status, 202);
    for (const response of [
      await frontend.admin.get(manifestsUrl(deleting)),
      await frontend.admin.put(manifestsUrl(deleting), { maintenanceTaskID: flags }),
      await frontend.admin.get(`${manifestsUrl(deleting)}/${id}`),
      await frontend.admin.post(`${manifestsUrl(deleting)}/${id}/cancel`),
    ]) {
      assertError(response, 404, "NotFound", "cluster being deleted");
    }
    assert.equal((await frontend.admin.delete(`${manifestsUrl(deleting)}/${id}`)).status, 200);
    assertError(await frontend.admin.delete(`${manifestsUrl(deleting)}/${id}`), 404, "NotFound");
  });

  test("are cancelled while they are pending, and only then", async () => {
    const pending = await store({});
    const url = (id: string) => `${manifestsUrl(address)}/${id}/cancel`;
    const cancelled = await frontend.admin.post(url(pending.id));
    assert.equal(cancelled.status, 200);
    assert.equal(JSON.parse(cancelled.text).state, "Cancelled");
    for (const state of ["InProgress", "Completed", "TimedOut"] as const) {
      const refused = await frontend.admin.post(url((await store({ state })).id));
      assertError(refused, 406, "PropertyChangeNotAllowed", `cannot cancel task in state ${state}`);
    }
    assertError(await frontend.admin.post(url(randomUUID())), 404, "NotFound");
  });

  test("of an earlier cluster of the name are not found, listed or cancelled, but deleted", async () => {
    const listed = await newCluster(frontend);
    const own = await store({}, listed);
    const { id } = await store({}, listed, randomUUID());
    const url = `${manifestsUrl(listed)}/${id}`;
    assertError(await frontend.admin.get(url), 404, "NotFound");
    assertError(await frontend.admin.post(`${url}/cancel`), 404, "NotFound");
    const { value } = JSON.parse((await frontend.admin.get(manifestsUrl(listed))).text);
    assert.deepEqual(
      value.map((each: { readonly id: string }) => each.id),
      [own.id],
    );
    assert.equal((await frontend.admin.delete(url)).status, 200);
  });

  test("are listed in pages, in the order of their times", async () => {
    const listed = await newCluster(frontend);
    for (const runAfter of [30, 10, 20]) await store({ runAfter }, listed);
    const times: number[] = [];
    let url: string | undefined = `https://localhost${manifestsUrl(listed)}?limit=2`;
    let pages = 0;
    while (url) {
      const { pathname, search } = new URL(url);
      const { value, nextLink } = JSON.parse((await frontend.admin.get(pathname + search)).text);
      for (const { runAfter } of value) times.push(runAfter);
      url = nextLink;
      pages++;
    }
    assert.deepEqual(times, [10, 20, 30]);
    assert.equal(pages, 2);
  });

  test("that are due are listed for all clusters, each with its cluster", async () => {
    const due = await store({ runAfter: 1 });
    const later = await store({ runAfter: 9_000_000_000 });
    const done = await store({ runAfter: 2, state: "Completed" });
    const { value } = JSON.parse((await frontend.admin.get("/admin/maintenancemanifests/queued")).text);
    const ids = value.map(({ id }: { readonly id: string }) => id);
    assert.ok(ids.includes(due.id));
    assert.ok(!ids.includes(later.id) && !ids.includes(done.id));
    assert.equal(value[0].clusterResourceID, resourceKey(address.id));
    const limited = await frontend.admin.get("/admin/maintenancemanifests/queued?limit=1");
    assert.equal(JSON.parse(limited.text).value.length, 1);
  });

  test("of a schedule are cancelled together, except those that have begun", async () => {
    const createdBySchedule = randomUUID();
    const first = await store({ createdBySchedule });
    await store({ createdBySchedule, runAfter: 9_000_000_000 }, await newCluster(frontend));
    const begun = await store({ createdBySchedule, state: "InProgress" });
    const other = await store({ createdBySchedule: randomUUID() });
    const url = (id: string) => `/admin/maintenancemanifests/cancel?scheduleID=${id}`;
    const response = await frontend.admin.post(url(createdBySchedule.toUpperCase()));
    assert.deepEqual(JSON.parse(response.text), { cancelled: 2, errors: 0 });
    const state = async ({ id }: MaintenanceManifestDocument) =>
      JSON.parse((await frontend.admin.get(`${manifestsUrl(address)}/${id}`)).text).state;
    assert.deepEqual(
      [await state(first), await state(begun), await state(other)],
      ["Cancelled", "InProgress", "Pending"],
    );
    const refused = await frontend.admin.post("/admin/maintenancemanifests/cancel");
    assertError(refused, 400, "InvalidParameter", "Parameter is missing", "scheduleID");
  });
});

describe("schedules", () => {
  const schedule = {
    state: "Enabled",
    maintenanceTaskID: flags,
    schedule: "Mon *-*-* 00:00",
    lookForwardCount: 2,
    scheduleAcross: "1h",
    selectors: [{ key: "subscriptionState", operator: "in", values: ["Registered"] }],
  };

  test("are added with a generated or requested ID, changed, shown and listed", async () => {
    const made = await frontend.admin.put(schedulesUrl, schedule);
    assert.equal(made.status, 201, made.text);
    const { id, ...shown } = JSON.parse(made.text);
    assert.deepEqual(shown, schedule);
    const named = await frontend.admin.put(schedulesUrl, { ...schedule, id: "Weekly" });
    assert.equal(named.status, 201);
    const disabled = {
      ...schedule,
      id: "weekly",
      state: "Disabled",
      selectors: [{ key: "bucketID", operator: "eq", value: "7" }],
    };
    const changed = await frontend.admin.put(schedulesUrl, disabled);
    assert.equal(changed.status, 200);
    assert.deepEqual(JSON.parse((await frontend.admin.get(`${schedulesUrl}/weekly`)).text), disabled);
    const { value } = JSON.parse((await frontend.admin.get(schedulesUrl)).text);
    assert.deepEqual(
      value.map((each: { readonly id: string }) => each.id),
      [id, "weekly"].sort(),
    );
    assertError(await frontend.admin.get(`${schedulesUrl}/unknown`), 404, "NotFound");
  });

  test("keep their task", async () => {
    await frontend.admin.put(schedulesUrl, { ...schedule, id: "kept" });
    const refused = await frontend.admin.put(schedulesUrl, {
      ...schedule,
      id: "kept",
      maintenanceTaskID: "x",
    });
    assertError(refused, 400, "PropertyChangeNotAllowed", undefined, "maintenanceTaskID");
  });

  test("that are rejected change nothing and return an error status", async () => {
    const refused = await frontend.admin.put(schedulesUrl, { ...schedule, id: "refused", schedule: "daily" });
    assertError(refused, 400, "InvalidParameter", "failed to match 'daily'", "schedule");
    assertError(await frontend.admin.get(`${schedulesUrl}/refused`), 404, "NotFound");
  });
});

describe("bills", () => {
  const billing = { creationTime: 1_700_000_000, location: "eastus", tenantID: "tenant" };

  test("are shown one by one and in pages of ten, also of clusters that are gone", async () => {
    const { database } = frontend;
    const partitionKey = randomUUID();
    const ids = Array.from({ length: 11 }, () => randomUUID()).sort();
    const key = resourceKey("/subscriptions/s/cluster");
    const writes = ids.map((id) =>
      create(database.collections.billing, {
        id,
        partitionKey,
        key,
        clusterResourceGroupIDKey: "g",
        billing,
      }),
    );
    await database.commit(partitionKey, writes, { signal });
    const [first = ""] = ids;
    const stored = await database.collections.billing.find(partitionKey, first, signal);
    assert.ok(stored);
    const ended = { ...stored.document, billing: { ...billing, deletionTime: 1_700_000_001 } };
    await database.commit(partitionKey, [replace(database.collections.billing, stored, ended)], { signal });
    const one = await frontend.admin.get(`/admin/billingdocuments/${first.toUpperCase()}`);
    assert.deepEqual(JSON.parse(one.text), {
      id: first,
      key,
      clusterResourceGroupIDKey: "g",
      billing: ended.billing,
    });
    const page = JSON.parse((await frontend.admin.get("/admin/billingdocuments")).text);
    assert.equal(page.value.length, 10);
    const { pathname, search } = new URL(page.nextLink);
    const last = JSON.parse((await frontend.admin.get(pathname + search)).text);
    const shown = [...page.value, ...last.value].map(({ id }: { readonly id: string }) => id);
    assert.deepEqual(shown, ids);
    assert.equal(last.nextLink, undefined);
    assertError(await frontend.admin.get(`/admin/billingdocuments/${randomUUID()}`), 404, "NotFound");
  });
});
