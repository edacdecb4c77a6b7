import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const configMaps = "/api/v1/namespaces/default/configmaps";
const services = "/api/v1/namespaces/default/services";

test("unknown fields of built-in kinds are dropped with a warning, dropped silently or rejected", async () => {
  const create = (name: string, query: string) =>
    server.call("POST", `${configMaps}${query}`, { body: { metadata: { name, colour: 1 }, spec: {} } });
  const warned = await create("warned", "");
  assert.equal(warned.status, 201);
  assert.equal(
    warned.headers.warning,
    '299 - "unknown field \\"metadata.colour\\"", 299 - "unknown field \\"spec\\""',
  );
  assert.equal(valueAt(warned.body, "spec"), undefined);
  const ignored = await create("ignored", "?fieldValidation=Ignore");
  assert.deepEqual([ignored.status, ignored.headers.warning], [201, undefined]);
  const refused = await create("refused", "?fieldValidation=Strict");
  assert.equal(refused.status, 400);
  assert.equal(
    scalarStringAt(refused.body, "message"),
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
      'unknown field "metadata.colour", unknown field "spec"',
  );
});

test("values of a wrong type are rejected in all kinds of writes to built-in kinds", async () => {
  const wrong = { data: { a: 1 } };
  const why =
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string';
  const created = await server.call("POST", configMaps, { body: { metadata: { name: "typed" }, ...wrong } });
  assert.deepEqual([created.status, scalarStringAt(created.body, "message")], [400, why]);
  await server.call("POST", configMaps, { body: { metadata: { name: "typed" } } });
  const path = `${configMaps}/typed`;
  const put = await server.call("PUT", path, { body: { metadata: { name: "typed" }, ...wrong } });
  assert.equal(put.status, 400);
  const headers = { "content-type": "application/merge-patch+json" };
  assert.equal((await server.call("PATCH", path, { body: wrong, headers })).status, 400);
});

test("a definition with invalid schema types does not break the OpenAPI documents", async () => {
  const definition = {
    metadata: { name: "bads.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "bads", kind: "Bad" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", required: [false] } },
        },
      ],
    },
  };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  assert.equal((await server.call("POST", path, { body: definition })).status, 400);
  assert.equal((await server.call("GET", "/openapi/v2")).status, 200);
});

test("a service gets an immutable address and port defaults", async () => {
  const spec = {
    ports: [
      { name: "http", port: 80 },
      { name: "dns", port: 53, protocol: "UDP", targetPort: "dns" },
    ],
  };
  const create = async (name: string, more: object = {}) =>
    (await server.call("POST", services, { body: { metadata: { name }, spec: { ...spec, ...more } } })).body;
  const first = await create("first");
  const second = await create("second");
  const address = scalarStringAt(first, "spec", "clusterIP");
  assert.match(address, /^172\.30\.\d+\.\d+$/);
  assert.notEqual(address, scalarStringAt(second, "spec", "clusterIP"));
  assert.equal(scalarStringAt(first, "spec", "type"), "ClusterIP");
  assert.deepEqual(valueAt(first, "spec", "clusterIPs"), [address]);
  assert.deepEqual(valueAt(first, "spec", "ports"), [
    { protocol: "TCP", targetPort: 80, name: "http", port: 80 },
    { protocol: "UDP", targetPort: "dns", name: "dns", port: 53 },
  ]);
  const put = (clusterIP?: string) =>
    server.call("PUT", `${services}/first`, {
      body: { metadata: { name: "first" }, spec: { ...spec, clusterIP } },
    });
  assert.equal(scalarStringAt((await put()).body, "spec", "clusterIP"), address);
  assert.equal((await put("172.30.0.99")).status, 422);
  assert.equal(scalarStringAt(await create("headless", { clusterIP: "None" }), "spec", "clusterIP"), "None");
  const named = await create("named", { type: "ExternalName", externalName: "example.com" });
  assert.equal(valueAt(named, "spec", "clusterIP"), undefined);
});

test("pods and volume claims are initially pending", async () => {
  for (const [plural, spec] of [
    ["pods", { containers: [{ name: "c", image: "i" }] }],
    [
      "persistentvolumeclaims",
      { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    ],
  ] as const) {
    const body = { metadata: { name: "waits" }, spec, status: { phase: "Bound" } };
    const created = await server.call("POST", `/api/v1/namespaces/default/${plural}`, { body });
    assert.equal(scalarStringAt(created.body, "status", "phase"), "Pending", plural);
  }
});

test("discovery lists the streaming subresources of pods", async () => {
  const { text } = await server.call("GET", "/api/v1");
  const parts = "attach binding ephemeralcontainers eviction exec log portforward proxy status".split(" ");
  assert.deepEqual(
    text.match(/"pods\/\w+"/g),
    parts.map((part) => `"pods/${part}"`),
  );
});

test("an event is available in both groups with their field names", async () => {
  const event = {
    metadata: { name: "told" },
    regarding: { kind: "Pod", name: "p", namespace: "default" },
    note: "it happened",
    reason: "Happened",
    type: "Normal",
    reportingController: "test",
    reportingInstance: "test-0",
    action: "Testing",
    eventTime: "2026-01-02T03:04:05.000000Z",
  };
  const newer = "/apis/events.k8s.io/v1/namespaces/default/events";
  const older = "/api/v1/namespaces/default/events";
  const created = await server.call("POST", newer, { body: event });
  assert.equal(scalarStringAt(created.body, "note"), "it happened");
  const core = await server.call("GET", `${older}/told`);
  assert.equal(scalarStringAt(core.body, "apiVersion"), "v1");
  assert.deepEqual(
    ["message", "reportingComponent", "reason"].map((name) => scalarStringAt(core.body, name)),
    ["it happened", "test", "Happened"],
  );
  assert.equal(scalarStringAt(core.body, "involvedObject", "name"), "p");
  const headers = { "content-type": "application/merge-patch+json" };
  await server.call("PATCH", `${older}/told`, { body: { count: 3 }, headers });
  const again = await server.call("GET", `${newer}/told`);
  assert.equal(scalarStringAt(again.body, "deprecatedCount"), "3");
  const selected = await server.call("GET", `${newer}?fieldSelector=regarding.name%3Dp`);
  assert.equal(listAt(selected.body, "items").length, 1);
});

test("an autoscaler can be read and written in both versions", async () => {
  const path = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  const created = await server.call("POST", path("v1"), {
    body: {
      metadata: { name: "h" },
      spec: {
        scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
        maxReplicas: 4,
        targetCPUUtilizationPercentage: 60,
      },
    },
  });
  assert.deepEqual(
    [scalarStringAt(created.body, "apiVersion"), scalarStringAt(created.body, "spec", "minReplicas")],
    ["autoscaling/v1", "1"],
  );
  const second = await server.call("GET", `${path("v2")}/h`);
  assert.deepEqual(valueAt(second.body, "spec", "metrics"), [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
  ]);
  const first = await server.call("GET", `${path("v1")}/h`);
  assert.equal(scalarStringAt(first.body, "spec", "targetCPUUtilizationPercentage"), "60");
  assert.equal(valueAt(first.body, "spec", "metrics"), undefined);
});

test("a scheduler can bind a pod to a node only once", async () => {
  const pods = "/api/v1/namespaces/default/pods";
  await server.call("POST", pods, {
    body: { metadata: { name: "bound" }, spec: { containers: [{ name: "c", image: "i" }] } },
  });
  const bind = (target: object) =>
    server.call("POST", `${pods}/bound/binding`, { body: { metadata: { name: "bound" }, target } });
  assert.equal((await bind({ kind: "Machine", name: "n" })).status, 422);
  assert.equal((await bind({ kind: "Node", name: "worker-0" })).status, 201);
  const { body } = await server.call("GET", `${pods}/bound`);
  assert.equal(scalarStringAt(body, "spec", "nodeName"), "worker-0");
  assert.equal(scalarStringAt(listAt(body, "status", "conditions")[0], "type"), "PodScheduled");
  const again = await bind({ kind: "Node", name: "worker-1" });
  assert.deepEqual(
    [again.status, scalarStringAt(again.body, "message")],
    [
      409,
      'Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "worker-0"',
    ],
  );
});

test("ephemeral containers are added through their subresource and cannot be removed", async () => {
  const pods = "/api/v1/namespaces/default/pods";
  await server.call("POST", pods, {
    body: { metadata: { name: "debugged" }, spec: { containers: [{ name: "c", image: "i" }] } },
  });
  const patch = (name: string, image: string) =>
    server.call("PATCH", `${pods}/debugged/ephemeralcontainers`, {
      body: { spec: { ephemeralContainers: [{ name, image }] } },
      headers: { "content-type": "application/strategic-merge-patch+json" },
    });
  assert.equal((await patch("debugger", "busybox")).status, 200);
  assert.equal((await patch("second", "busybox")).status, 200);
  assert.equal((await patch("debugger", "other")).status, 422);
  const { body } = await server.call("GET", `${pods}/debugged`);
  const found = listAt(body, "spec", "ephemeralContainers");
  assert.deepEqual(found.map((each) => scalarStringAt(each, "name")).sort(), ["debugger", "second"]);
  assert.equal(scalarStringAt(found[0], "terminationMessagePolicy"), "File");
});
