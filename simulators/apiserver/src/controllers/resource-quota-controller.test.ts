import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { eventually } from "@keelson/base/testing/eventually";
import { administrator } from "../auth/user.ts";
import { Cluster } from "../cluster/cluster.ts";
import { admitToQuotas } from "../quota/charge.ts";
import { clusterQuotaStatus, withNewLimits } from "../quota/cluster-quota.ts";
import { clusterQuotaBucket } from "../quota/cluster-quota-index.ts";
import { TestServer } from "../testing/test-server.ts";
import { ResourceQuotaController } from "./resource-quota-controller.ts";

const base = "/api/v1/namespaces/default";
const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

class Quota {
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  async create(hard: object, spec: object = {}): Promise<void> {
    const body = { metadata: { name: "q" }, spec: { hard, ...spec } };
    assert.equal((await this.#server.call("POST", `${base}/resourcequotas`, { body })).status, 201);
  }

  /** Resolves when the quota's status reports this usage. */
  async uses(used: object): Promise<void> {
    let found: unknown;
    for (let attempt = 0; attempt < 2_000; attempt++) {
      const { body } = await this.#server.call("GET", `${base}/resourcequotas/q`);
      found = objectAt(body, "status", "used");
      if (JSON.stringify(found) === JSON.stringify(used)) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual(found, used);
  }
}

test("a quota counts existing objects on creation, and resources that are limited later", async () => {
  await using server = await TestServer.start();
  const quota = new Quota(server);
  await server.call("POST", `${base}/pods`, {
    body: pod("a", { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "500m" } } }] }),
  });
  await quota.create({ pods: "5" });
  await quota.uses({ pods: "1" });
  await server.call("PATCH", `${base}/resourcequotas/q`, {
    body: { spec: { hard: { "requests.cpu": "1" } } },
    headers: { "content-type": "application/merge-patch+json" },
  });
  await quota.uses({ pods: "1", "requests.cpu": "500m" });
});

test("completed and deleted pods no longer count", async () => {
  await using server = await TestServer.start();
  const quota = new Quota(server);
  await quota.create({ pods: "5", "count/pods": "5" });
  await quota.uses({ pods: "0", "count/pods": "0" });
  for (const name of ["a", "b", "c"]) await server.call("POST", `${base}/pods`, { body: pod(name) });
  await quota.uses({ pods: "3", "count/pods": "3" });
  await server.call("PATCH", `${base}/pods/a/status`, {
    body: { status: { phase: "Succeeded" } },
    headers: { "content-type": "application/merge-patch+json" },
  });
  await quota.uses({ pods: "2", "count/pods": "3" });
  await server.call("DELETE", `${base}/pods/b`);
  await quota.uses({ pods: "1", "count/pods": "2" });
});

test("objects outside the scopes do not count", async () => {
  await using server = await TestServer.start();
  const quota = new Quota(server);
  await server.call("POST", `${base}/pods`, { body: pod("a") });
  await server.call("POST", `${base}/pods`, { body: pod("b", { activeDeadlineSeconds: 60 }) });
  await quota.create({ pods: "5" }, { scopes: ["Terminating"] });
  await quota.uses({ pods: "1" });
});

test("custom resources are counted once they are defined", async () => {
  await using server = await TestServer.start();
  const quota = new Quota(server);
  await quota.create({ "count/widgets.example.com": "1" });
  await quota.uses({});
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  assert.equal((await server.call("POST", path, { body: crd })).status, 201);
  await quota.uses({ "count/widgets.example.com": "0" });
  const widgets = "/apis/example.com/v1/namespaces/default/widgets";
  const widget = (name: string) => ({
    body: { apiVersion: "example.com/v1", kind: "Widget", metadata: { name } },
  });
  assert.equal((await server.call("POST", widgets, widget("a"))).status, 201);
  const refused = await server.call("POST", widgets, widget("b"));
  assert.equal(refused.status, 403);
  assert.match(String(objectAt(refused.body).message), /exceeded quota: q, requested: count\/widgets/);
});

test("writes concurrent with deletions never exceed a quota", async () => {
  await using server = await TestServer.start();
  const quota = new Quota(server);
  const before = objectAt((await server.call("GET", `${base}/secrets`)).body).items;
  const others = Array.isArray(before) ? before.length : 0;
  await quota.create({ secrets: `${others + 3}` });
  await quota.uses({ secrets: `${others}` });
  let most = 0;
  let created = 0;
  const churn = async (worker: number): Promise<void> => {
    for (let round = 0; round < 15; round++) {
      const name = `s${worker}-${round}`;
      const { status } = await server.call("POST", `${base}/secrets`, { body: { metadata: { name } } });
      const { items } = objectAt((await server.call("GET", `${base}/secrets`)).body);
      most = Math.max(most, Array.isArray(items) ? items.length : 0);
      if (status !== 201) continue;
      created++;
      await server.call("DELETE", `${base}/secrets/${name}`);
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(churn));
  assert.ok(created >= 3, `${created}`);
  assert.ok(most <= others + 3, `${most - others} of 3`);
  await quota.uses({ secrets: `${others}` });
});

test("the usage of many objects contains concurrent creations", async () => {
  await using server = await TestServer.start();
  const quota = new Quota(server);
  const large = (name: string) => ({
    ...pod(name),
    metadata: { name, annotations: { note: "x".repeat(100_000) } },
  });
  let created = 0;
  const create = async (body: object): Promise<void> => {
    const { status, text } = await server.call("POST", `${base}/pods`, { body });
    if (status === 201) created++;
    else assert.match(text, /status unknown for quota: q/);
  };
  for (const at of Array(10).keys()) await create(large(`l${at}`));
  const creations = Array.from({ length: 60 }, (_, at) => async () => create(pod(`s${at}`)));
  const writers = [0, 1, 2].map(async (each) => {
    for (const run of creations.slice(20 * each, 20 * (each + 1))) await run();
  });
  await quota.create({ pods: "1000" });
  await Promise.all(writers);
  await quota.uses({ pods: `${created}` });
  await server.call("DELETE", `${base}/pods/l0`);
  await create(pod("late"));
  await quota.uses({ pods: `${created - 1}` });
});

const clusterQuotas = "/apis/quota.openshift.io/v1/clusterresourcequotas";
const clusterQuotaDefinition = {
  ...crd,
  metadata: { name: "clusterresourcequotas.quota.openshift.io" },
  spec: {
    group: "quota.openshift.io",
    scope: "Cluster",
    names: {
      plural: "clusterresourcequotas",
      singular: "clusterresourcequota",
      kind: "ClusterResourceQuota",
      listKind: "ClusterResourceQuotaList",
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

test("a ClusterResourceQuota limits the sum of the selected namespaces and reports the usage of each", async () => {
  await using server = await TestServer.start();
  const call = (method: string, path: string, body?: object) =>
    server.call(method, path, {
      body,
      ...(method === "PATCH" ? { headers: { "content-type": "application/merge-patch+json" } } : {}),
    });
  for (const name of ["a", "b", "c"])
    await call("POST", "/api/v1/namespaces", {
      metadata: { name, labels: name === "c" ? {} : { team: "x" }, annotations: { owner: name } },
    });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  assert.equal((await call("POST", definitions, clusterQuotaDefinition)).status, 201);
  const add = (namespace: string, name: string) =>
    call("POST", `/api/v1/namespaces/${namespace}/pods`, pod(name));
  assert.equal((await add("a", "early")).status, 201);
  const quota = {
    apiVersion: "quota.openshift.io/v1",
    kind: "ClusterResourceQuota",
    metadata: { name: "q" },
    spec: {
      quota: { hard: { pods: "3" } },
      selector: { labels: { matchLabels: { team: "x" } }, annotations: null },
    },
  };
  await eventually(async () => assert.equal((await call("POST", clusterQuotas, quota)).status, 201));
  const uses = (total: string, each: Readonly<Record<string, string>>) =>
    eventually(async () => {
      const { body } = await call("GET", `${clusterQuotas}/q`);
      assert.equal(valueAt(body, "status", "total", "used", "pods"), total);
      const shares = listAt(body, "status", "namespaces").map((entry) => [
        valueAt(entry, "namespace"),
        valueAt(entry, "status", "used", "pods"),
      ]);
      assert.deepEqual(Object.fromEntries(shares), each);
    });
  await uses("1", { a: "1", b: "0" });
  assert.equal((await add("b", "one")).status, 201);
  assert.equal((await add("b", "two")).status, 201);
  await uses("3", { a: "1", b: "2" });
  const refused = await add("a", "late");
  assert.equal(refused.status, 403);
  assert.match(refused.text, /exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3/);
  assert.equal((await add("c", "free")).status, 201);
  await call("DELETE", "/api/v1/namespaces/b/pods/one", { gracePeriodSeconds: 0 });
  await uses("2", { a: "1", b: "1" });
  await call("PATCH", "/api/v1/namespaces/c", { metadata: { labels: { team: "x" } } });
  await uses("3", { a: "1", b: "1", c: "1" });
  await call("PATCH", `${clusterQuotas}/q`, { spec: { selector: { annotations: { owner: "c" } } } });
  await uses("1", { c: "1" });
  assert.equal((await add("a", "late")).status, 201);
});

interface ClusterQuotaWorld extends AsyncDisposable {
  readonly call: (method: string, path: string, body?: object) => ReturnType<TestServer["call"]>;
  readonly server: TestServer;
}

async function withNamespaces(names: readonly string[]): Promise<ClusterQuotaWorld> {
  const server = await TestServer.start();
  const headers = { "content-type": "application/merge-patch+json" };
  const call = (method: string, path: string, body?: object) =>
    server.call(method, path, { body, ...(method === "PATCH" ? { headers } : {}) });
  const labels = { team: "x" };
  for (const name of names) await call("POST", "/api/v1/namespaces", { metadata: { name, labels } });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  assert.equal((await call("POST", definitions, clusterQuotaDefinition)).status, 201);
  await eventually(async () => assert.equal((await call("GET", clusterQuotas)).status, 200));
  return { call, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const clusterQuota = (name: string, selector: unknown, hard: object = { pods: "1000" }) => ({
  apiVersion: "quota.openshift.io/v1",
  kind: "ClusterResourceQuota",
  metadata: { name },
  spec: { quota: { hard }, selector },
});
const team = { labels: { matchLabels: { team: "x" } } };

test("a ClusterResourceQuota with a malformed selector limits nothing", async () => {
  await using world = await withNamespaces(["a"]);
  for (const [name, matchExpressions] of [
    ["text", "x"],
    ["null", [null]],
  ] as const) {
    const body = clusterQuota(name, { labels: { matchExpressions } }, { pods: "0" });
    assert.equal((await world.call("POST", clusterQuotas, body)).status, 201);
    await eventually(async () => {
      const { body: found } = await world.call("GET", `${clusterQuotas}/${name}`);
      assert.deepEqual(valueAt(found, "status", "total", "used"), {});
    });
  }
  assert.equal((await world.call("POST", "/api/v1/namespaces/a/pods", pod("p"))).status, 201);
  await world.call("PATCH", "/api/v1/namespaces/a", { metadata: { labels: { other: "y" } } });
  assert.equal((await world.call("DELETE", "/api/v1/namespaces/a/pods/p")).status, 200);
});

test("pods that are created while a ClusterResourceQuota is computed are refused or counted", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  await using world = await withNamespaces(names);
  const { call } = world;
  let created = 0;
  let isComputed = false;
  const createPods = async (namespace: string): Promise<void> => {
    for (let at = 0; !isComputed && at < 200; at++) {
      const { status, text } = await call("POST", `/api/v1/namespaces/${namespace}/pods`, pod(`p${at}`));
      if (status === 201) created++;
      else assert.match(text, /status unknown for quota: q/);
    }
  };
  const writers = ["n0", "n7", "n19"].map(createPods);
  assert.equal((await call("POST", clusterQuotas, clusterQuota("q", team))).status, 201);
  await eventually(async () => {
    const { body } = await call("GET", `${clusterQuotas}/q`);
    assert.ok(valueAt(body, "status", "total", "used", "pods"));
  });
  isComputed = true;
  await Promise.all(writers);
  await eventually(async () => {
    const { body } = await call("GET", `${clusterQuotas}/q`);
    assert.equal(valueAt(body, "status", "total", "used", "pods"), `${created}`);
  });
});

test("the status of a ClusterResourceQuota is computed from one state of the cluster", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${100 + at}`);
  await using world = await withNamespaces(names);
  const { cluster } = world.server;
  assert.ok(cluster instanceof Cluster);
  const { context } = cluster;
  const create = (name: string) => world.call("POST", "/api/v1/namespaces/n119/pods", pod(name));
  assert.equal((await create("early")).status, 201);
  assert.equal((await world.call("POST", clusterQuotas, clusterQuota("q", team))).status, 201);
  await eventually(async () => {
    const { body } = await world.call("GET", `${clusterQuotas}/q`);
    assert.equal(valueAt(body, "status", "total", "used", "pods"), "1");
  });
  const stored = context.store.get(clusterQuotaBucket, "q");
  assert.ok(stored);
  const pending = clusterQuotaStatus(context, stored);
  const object = { apiVersion: "v1", kind: "Pod", ...pod("late") };
  const late = { ...object, metadata: { name: "late", namespace: "n119" } };
  context.store.put("/pods", "n119/late", 0, late);
  assert.deepEqual((await pending)?.total.used, { pods: "1" });
  assert.deepEqual((await clusterQuotaStatus(context, stored))?.total.used, { pods: "2" });
});

test("writes are refused while the usage of new limits is unknown", async () => {
  await using world = await withNamespaces(["a"]);
  const { cluster } = world.server;
  assert.ok(cluster instanceof Cluster);
  const { context } = cluster;
  const resource = context.directory.get({ group: "", version: "v1", resource: "pods" });
  const object = { apiVersion: "v1", kind: "Pod", ...pod("p") };
  const request = {
    operation: "CREATE",
    resource,
    subresource: "",
    namespace: "a",
    name: "p",
    object,
  } as const;
  const admit = () =>
    admitToQuotas(context, {
      ...request,
      oldObject: undefined,
      user: administrator,
      dryRun: false,
      options: {},
      warn: () => undefined,
    });
  const quota = clusterQuota("q", team, { pods: "3" });
  const computed = { ...quota, status: { total: { hard: { secrets: "1" }, used: { secrets: "1" } } } };
  for (const before of [quota, computed]) {
    const { revision = 0 } = context.store.get(clusterQuotaBucket, "q") ?? {};
    context.store.put(clusterQuotaBucket, "q", revision, withNewLimits(before));
    assert.throws(admit, /status unknown for quota: q, resources: pods/);
  }
});

test("only quotas whose selection of a namespace changes are computed again", async () => {
  await using world = await withNamespaces(["a"]);
  const { cluster } = world.server;
  assert.ok(cluster instanceof Cluster);
  for (const [name, selector] of [
    ["other", { labels: { matchLabels: { team: "y" } } }],
    ["owned", { annotations: { owner: "me" } }],
    ["team", team],
  ] as const)
    assert.equal((await world.call("POST", clusterQuotas, clusterQuota(name, selector))).status, 201);
  const clock = new ManualClock();
  const stop = new AbortController();
  const controller = new ResourceQuotaController({ ...cluster.context, clock }, stop.signal);
  const added = new Set<string>();
  const unsubscribe = cluster.context.store.onEvent((event) => {
    if (event.bucket === "/namespaces") controller.observe(event, (key) => added.add(key));
  });
  const queuedAfter = async (metadata: object): Promise<readonly string[]> => {
    added.clear();
    assert.equal((await world.call("PATCH", "/api/v1/namespaces/a", { metadata })).status, 200);
    await clock.advance(100);
    return [...added].sort();
  };
  assert.deepEqual(await queuedAfter({ labels: { unrelated: "z" } }), []);
  assert.deepEqual(await queuedAfter({ annotations: { owner: "me" } }), ["owned"]);
  assert.deepEqual(await queuedAfter({ labels: { team: "y" } }), ["other", "team"]);
  unsubscribe();
  stop.abort();
});

test("the total contains namespaces that do not fit into the list of the status", async () => {
  await using world = await withNamespaces(["a", "b", "c", "d"]);
  for (const name of ["a", "d"])
    assert.equal((await world.call("POST", `/api/v1/namespaces/${name}/pods`, pod("p"))).status, 201);
  const others = Array.from({ length: 99 }, (_, at) => [`count/${"x".repeat(50)}${at}.example.com`, "1"]);
  const hard = { pods: "3", ...Object.fromEntries(others) };
  assert.equal((await world.call("POST", clusterQuotas, clusterQuota("q", team, hard))).status, 201);
  const uses = (total: string) =>
    eventually(async () => {
      const { body } = await world.call("GET", `${clusterQuotas}/q`);
      assert.equal(valueAt(body, "status", "total", "used", "pods"), total);
      const listed = listAt(body, "status", "namespaces").map((each) => valueAt(each, "namespace"));
      assert.deepEqual(listed, ["a", "b"]);
    });
  await uses("2");
  assert.equal((await world.call("POST", "/api/v1/namespaces/d/pods", pod("late"))).status, 201);
  await uses("3");
  assert.equal((await world.call("POST", "/api/v1/namespaces/d/pods", pod("more"))).status, 403);
});
