import assert from "node:assert/strict";
import { test } from "node:test";
import { objectAt } from "@keelson/base";
import { TestServer } from "../testing/test-server.ts";

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
