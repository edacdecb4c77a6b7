import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { objectAt, valueAt } from "@keelson/base";
import { type Response, TestServer, widgets } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: widgets });
});
after(() => server[Symbol.asyncDispose]());

const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const widgetsPath = "/apis/example.com/v1/namespaces/default/widgets";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

const json = "application/json";
const send = (method: string, path: string, body?: unknown, type = json) =>
  server.call(method, path, { headers: { "content-type": type }, body });
const messageOf = ({ body }: Response) => scalarStringAt(body, "message");
const configMap = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  ...more,
});

const spec = (text: string) =>
  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},` +
  `"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"${text}}]}}}}`;
const widget = (text: string) =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":1${text}}}`;

test("strict validation reports unknown and duplicate fields at any depth, for built-in kinds and custom resources", async () => {
  const rows: readonly [path: string, body: string, type: string, message: string | RegExp][] = [
    [
      deployments,
      spec(',"imagePullPolicy":"Always","imagePullPolicy":"Never"'),
      json,
      /strict decoding error: duplicate field "spec\.template\.spec\.containers\[0\]\.imagePullPolicy"$/,
    ],
    [
      deployments,
      spec(',"imaeg":"x","name":"c"'),
      json,
      /strict decoding error: unknown field "spec\.template\.spec\.containers\[0\]\.imaeg", duplicate field "spec\.template\.spec\.containers\[0\]\.name"$/,
    ],
    [
      configMaps,
      '{"metadata":{"name":"x","labels":{"a":"1","a":"2"}}}',
      json,
      /duplicate field "metadata\.labels\.a"$/,
    ],
    [configMaps, '{"metadata":{"name":"x","labls":{}}}', json, /unknown field "metadata\.labls"$/],
    [widgetsPath, widget(',"nope":1'), json, /strict decoding error: unknown field "spec\.nope"$/],
    [widgetsPath, widget(',"size":2'), json, /strict decoding error: duplicate field "spec\.size"$/],
    [widgetsPath, widget(',"free":{"x":[{"y":1,"y":2}]}'), json, /duplicate field "spec\.free\.x\[0\]\.y"$/],
    [
      configMaps,
      "metadata:\n  name: x\ndata:\n  a: one\n  a: two\n",
      "application/yaml",
      /strict decoding error: yaml: unmarshal errors:\n {2}line 5: key "a" already set in map$/,
    ],
  ];
  for (const [path, body, type, message] of rows) {
    const response = await send("POST", `${path}?fieldValidation=Strict&dryRun=All`, body, type);
    assert.equal(response.status, 400, body);
    if (typeof message === "string") assert.equal(messageOf(response), message);
    else assert.match(messageOf(response), message);
    const warned = await send("POST", `${path}?dryRun=All`, body, type);
    assert.equal(warned.status, 201, messageOf(warned));
    assert.match(String(warned.headers.warning), /299 - "(unknown|duplicate) field|299 - "yaml:/);
    const ignored = await send("POST", `${path}?dryRun=All&fieldValidation=Ignore`, body, type);
    assert.equal(ignored.status, 201);
    assert.equal(ignored.headers.warning, undefined);
  }
});

test("updates and patches are validated like creates, and the last duplicate field is effective", async () => {
  await send("POST", widgetsPath, widget(""));
  const path = `${widgetsPath}/w`;
  const strict = `${path}?fieldValidation=Strict`;
  const merge = "application/merge-patch+json";
  const patched = await send("PATCH", strict, '{"spec":{"size":2,"size":3}}', merge);
  assert.match(messageOf(patched), /duplicate field "spec\.size"/);
  const unknown = await send("PATCH", strict, { spec: { other: 1 } }, merge);
  assert.match(messageOf(unknown), /unknown field "spec\.other"/);
  const put = await send("PUT", strict, widget(',"nope":1'));
  assert.match(messageOf(put), /unknown field "spec\.nope"/);
  const last = await send("PATCH", path, '{"spec":{"size":2,"size":3}}', merge);
  assert.equal(valueAt(last.body, "spec", "size"), 3);
  const text = "apiVersion: example.com/v1\nkind: Widget\nspec:\n  size: 3\n  size: 4\n";
  const applied = `${path}?fieldManager=x&force=true`;
  const apply = "application/apply-patch+yaml";
  assert.equal(
    messageOf(await send("PATCH", `${applied}&fieldValidation=Strict`, text, apply)),
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 5: key "size" already set in map',
  );
  assert.equal(valueAt((await send("PATCH", applied, text, apply)).body, "spec", "size"), 4);
});

test("invalid options are rejected by name", async () => {
  const rows: readonly [method: string, path: string, code: number, message: RegExp][] = [
    [
      "POST",
      `${configMaps}?dryRun=Some`,
      422,
      /^CreateOptions\.meta\.k8s\.io "" is invalid: dryRun: Unsupported value: \["Some"\]: supported values: "All"$/,
    ],
    [
      "POST",
      `${configMaps}?fieldValidation=Loose`,
      422,
      /fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"$/,
    ],
    ["POST", `${configMaps}?fieldManager=${"m".repeat(129)}`, 422, /fieldManager: Too long/],
    [
      "POST",
      `${configMaps}?fieldManager=a%07b`,
      422,
      /fieldManager: Invalid value: "a\\u0007b": invalid character/,
    ],
    [
      "DELETE",
      `${configMaps}/none?propagationPolicy=Sideways`,
      422,
      /^DeleteOptions\.meta\.k8s\.io "" is invalid: propagationPolicy: Unsupported value/,
    ],
    [
      "DELETE",
      `${configMaps}/none?propagationPolicy=Orphan&orphanDependents=true`,
      422,
      /orphanDependents and deletionPropagation cannot be both set/,
    ],
    ["DELETE", `${configMaps}/none?dryRun=x`, 422, /dryRun: Unsupported value/],
    ["DELETE", `${configMaps}/none?gracePeriodSeconds=soon`, 400, /gracePeriodSeconds/],
  ];
  for (const [method, path, code, message] of rows) {
    const response = await send(method, path, method === "POST" ? configMap("x") : undefined);
    assert.equal(response.status, code, path);
    assert.match(messageOf(response), message);
  }
});

test("a dry run returns the result and stores nothing", async () => {
  const all = "?dryRun=All";
  const made = await send("POST", `${configMaps}${all}`, configMap("dry"));
  assert.equal(made.status, 201);
  assert.ok(scalarStringAt(made.body, "metadata", "uid"));
  assert.equal((await send("GET", `${configMaps}/dry`)).status, 404);
  const { body } = await send("POST", configMaps, configMap("dry", { data: { a: "1" } }));
  assert.notEqual(scalarStringAt(body, "metadata", "uid"), scalarStringAt(made.body, "metadata", "uid"));
  const put = await send("PUT", `${configMaps}/dry${all}`, configMap("dry", { data: { a: "2" } }));
  assert.equal(scalarStringAt(put.body, "data", "a"), "2");
  assert.equal((await send("DELETE", `${configMaps}/dry${all}`)).status, 200);
  assert.equal((await send("DELETE", `${configMaps}${all}&labelSelector=none`)).status, 200);
  const invalid = await send("POST", `${configMaps}${all}`, configMap("Not a name"));
  assert.equal(invalid.status, 422);
  assert.deepEqual((await send("GET", `${configMaps}/dry`)).body, body);
});

test("a PUT can only create leases and roles", async () => {
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" }, spec: {} };
  const created = await send("PUT", `${leases}/l`, lease);
  assert.equal(created.status, 201);
  assert.equal((await send("PUT", `${leases}/l`, created.body)).status, 200);
  assert.equal((await send("PUT", `${leases}/m`, lease)).status, 400);
  assert.equal((await send("PUT", `${configMaps}/none`, configMap("none"))).status, 404);
  assert.equal((await send("PUT", `${widgetsPath}/none`, widget("").replace('"w"', '"none"'))).status, 404);
});

test("updates of some kinds and all custom resources need a resourceVersion", async () => {
  const why = "metadata.resourceVersion: Invalid value: 0: must be specified for an update";
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "seen" }, spec: {} };
  await send("POST", leases, lease);
  const blind = await send("PUT", `${leases}/seen`, lease);
  assert.equal(blind.status, 422);
  assert.equal(messageOf(blind), `leases.coordination.k8s.io "seen" is invalid: ${why}`);
  await send("POST", widgetsPath, widget("").replace('"w"', '"seen"'));
  for (const suffix of ["", "/status"]) {
    const put = await send("PUT", `${widgetsPath}/seen${suffix}`, widget("").replace('"w"', '"seen"'));
    assert.equal(messageOf(put), `widgets.example.com "seen" is invalid: ${why}`);
  }
  await send("POST", configMaps, configMap("seen"));
  assert.equal((await send("PUT", `${configMaps}/seen`, configMap("seen"))).status, 200);
});

test("uid, generation and times of a client are ignored", async () => {
  const metadata = {
    name: "own",
    uid: "mine",
    generation: 7,
    creationTimestamp: "2000-01-01T00:00:00Z",
    deletionTimestamp: "2000-01-01T00:00:00Z",
    selfLink: "/x",
  };
  const { body } = await send("POST", configMaps, configMap("own", { metadata }));
  const given = objectAt(body, "metadata");
  assert.notEqual(given.uid, "mine");
  assert.notEqual(given.creationTimestamp, metadata.creationTimestamp);
  assert.match(String(given.creationTimestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  for (const name of ["generation", "deletionTimestamp", "selfLink"]) assert.equal(given[name], undefined);
});

test("annotations are limited to 256 KiB, and a JSON patch to ten thousand operations", async () => {
  const limit = 262_144;
  const fits = configMap("big", { metadata: { name: "big", annotations: { a: "x".repeat(limit - 1) } } });
  assert.equal((await send("POST", configMaps, fits)).status, 201);
  const more = await send(
    "PATCH",
    `${configMaps}/big`,
    { metadata: { annotations: { b: "xx" } } },
    "application/merge-patch+json",
  );
  assert.equal(more.status, 422);
  assert.match(messageOf(more), /metadata\.annotations: Too long: may not be more than 262144 bytes/);
  const operation = { op: "add", path: "/metadata/labels", value: { a: "b" } };
  const patch = (count: number) =>
    send(
      "PATCH",
      `${configMaps}/big`,
      Array.from({ length: count }, () => operation),
      "application/json-patch+json",
    );
  assert.equal((await patch(10_000)).status, 200);
  const refused = await patch(10_001);
  assert.equal(refused.status, 413);
  assert.equal(messageOf(refused), "The allowed maximum operations in a JSON patch is 10000, got 10001");
});

test("the default manager of a write is the client's program name", async () => {
  const rows: readonly [agent: string, manager: string][] = [
    ["kubectl/v1.36.0 (linux/amd64) kubernetes/abc", "kubectl"],
    ["just-a-name", "just-a-name"],
    ["/", "unknown"],
  ];
  for (const [at, [agent, manager]] of rows.entries()) {
    const headers = { "content-type": json, "user-agent": agent };
    const named = await server.call("POST", `${configMaps}?fieldManager=named`, {
      headers,
      body: configMap(`named-${at}`, { data: { a: "1" } }),
    });
    assert.ok(JSON.stringify(named.body).includes('"manager":"named"'));
    const tracked = await server.call("POST", configMaps, {
      headers,
      body: configMap(`data-${at}`, { data: { a: "1" } }),
    });
    assert.ok(JSON.stringify(tracked.body).includes(`"manager":"${manager}"`), agent);
  }
});

test("in-process writes have a separate manager, and apply works as over the network", async () => {
  const { client } = server.cluster;
  const ref = { group: "", version: "v1", resource: "configmaps" };
  const object = (data: object) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "inside", namespace: "default" },
    data,
  });
  const created = await client.create(ref, object({ a: "1" }));
  assert.deepEqual(
    created.metadata.managedFields?.map(({ manager, operation }) => [manager, operation]),
    [["keelson", "Update"]],
  );
  await assert.rejects(client.apply(ref, object({ a: "2" }), { fieldManager: "operator" }), {
    code: 409,
    message: 'Apply failed with 1 conflict: conflict with "keelson" using v1: .data.a',
  });
  const applied = await client.apply(ref, object({ a: "2" }), { fieldManager: "operator", force: true });
  assert.deepEqual(
    applied.metadata.managedFields?.map(({ manager, operation }) => [manager, operation]),
    [
      ["operator", "Apply"],
      ["keelson", "Update"],
    ],
  );
});
