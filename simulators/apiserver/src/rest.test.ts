import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { type Response, TestServer, widgets } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: widgets });
});
after(() => server[Symbol.asyncDispose]());

const configMaps = "/api/v1/namespaces/default/configmaps";
const widgetsPath = "/apis/example.com/v1/namespaces/default/widgets";
const merge = { "content-type": "application/merge-patch+json" };

function configMap(name: string, data: object = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

function widget(name: string, spec: object = { size: 1 }, metadata: object = {}) {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, ...metadata }, spec };
}

function message({ status, body }: Response): string {
  return `${status} ${scalarStringAt(body, "reason")}: ${scalarStringAt(body, "message")}`;
}

test("a created object gets its identity from the server and can be read as JSON and YAML", async () => {
  const created = await server.call("POST", configMaps, { body: configMap("first", { a: "b" }) });
  assert.equal(created.status, 201);
  const metadata = objectAt(created.body, "metadata");
  assert.match(scalarStringAt(metadata, "uid"), /^[0-9a-f-]{36}$/);
  assert.match(scalarStringAt(metadata, "creationTimestamp"), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.match(scalarStringAt(metadata, "resourceVersion"), /^[1-9]\d*$/);
  const read = await server.call("GET", `${configMaps}/first`);
  assert.deepEqual(read.body, created.body);
  assert.equal(read.text.at(-1), "\n");
  const yaml = await server.call("GET", `${configMaps}/first`, { headers: { accept: "application/yaml" } });
  assert.match(yaml.text, /^data:\n {2}a: b$/m);
});

test("YAML bodies and bodies without a media type are accepted", async () => {
  const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-yaml}\ndata: {a: 'yes'}\n";
  const headers = { "content-type": "application/yaml" };
  assert.equal((await server.call("POST", configMaps, { body: yaml, headers })).status, 201);
  assert.equal((await server.call("POST", configMaps, { body: configMap("no-type") })).status, 201);
});

for (const [what, method, path, body, expected, headers] of [
  ["a missing object", "GET", `${configMaps}/none`, undefined, '404 NotFound: configmaps "none" not found'],
  [
    "a missing object of a group",
    "GET",
    "/apis/apps/v1/namespaces/default/deployments/none",
    undefined,
    '404 NotFound: deployments.apps "none" not found',
  ],
  [
    "an unknown path",
    "GET",
    "/apis/apps/v9",
    undefined,
    "404 NotFound: the server could not find the requested resource",
  ],
  [
    "an unknown resource",
    "GET",
    "/api/v1/nothings",
    undefined,
    "404 NotFound: the server could not find the requested resource",
  ],
  [
    "a name in use",
    "POST",
    "/api/v1/namespaces",
    { metadata: { name: "default" } },
    '409 AlreadyExists: namespaces "default" already exists',
  ],
  [
    "a missing namespace",
    "POST",
    "/api/v1/namespaces/none/configmaps",
    configMap("x"),
    '404 NotFound: namespaces "none" not found',
  ],
  [
    "a different namespace in the body",
    "POST",
    configMaps,
    { metadata: { name: "x", namespace: "other" } },
    "400 BadRequest: the namespace of the provided object does not match the namespace sent on the request",
  ],
  [
    "a resourceVersion on create",
    "POST",
    configMaps,
    { metadata: { name: "x", resourceVersion: "1" } },
    "500 : resourceVersion should not be set on objects to be created",
  ],
  [
    "no name",
    "POST",
    configMaps,
    { metadata: {} },
    '422 Invalid: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  [
    "an unsupported method",
    "POST",
    `${configMaps}/x`,
    configMap("x"),
    "405 MethodNotAllowed: the server does not allow this method on the requested resource",
  ],
  [
    "a namespaced create without namespace",
    "POST",
    "/api/v1/configmaps",
    configMap("x"),
    "405 MethodNotAllowed: the server does not allow this method on the requested resource",
  ],
  [
    "a body that is not JSON",
    "POST",
    configMaps,
    "{",
    "400 BadRequest: error parsing JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
  ],
  [
    "a body that is not an object",
    "POST",
    configMaps,
    "[]",
    "400 BadRequest: the body of the request is not an object",
  ],
  [
    "a protobuf body with a different envelope",
    "POST",
    configMaps,
    "k8s",
    "400 BadRequest: the body does not start with the Kubernetes protocol buffer prefix",
    { "content-type": "application/vnd.kubernetes.protobuf" },
  ],
  [
    "an unknown patch type",
    "PATCH",
    `${configMaps}/x`,
    "{}",
    "415 UnsupportedMediaType: 415: Unsupported Media Type",
    { "content-type": "text/plain" },
  ],
  [
    "a strategic patch of a custom resource",
    "PATCH",
    `${widgetsPath}/x`,
    "{}",
    "415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    { "content-type": "application/strategic-merge-patch+json" },
  ],
  [
    "an unsupported Accept header",
    "GET",
    configMaps,
    undefined,
    "406 NotAcceptable: 406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    { accept: "image/png" },
  ],
  [
    "an invalid label selector",
    "GET",
    `${configMaps}?labelSelector=a%20in`,
    undefined,
    "400 BadRequest: unable to parse requirement: found '' expected: '('",
  ],
  [
    "an unknown field",
    "GET",
    `${configMaps}?fieldSelector=spec.a=b`,
    undefined,
    '400 BadRequest: "spec.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [
    "an invalid resourceVersion",
    "GET",
    `${configMaps}?resourceVersion=x`,
    undefined,
    '400 BadRequest: invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
  ],
  [
    "a different kind",
    "POST",
    configMaps,
    { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } },
    '400 BadRequest: Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  ],
  [
    "an unknown dry run value",
    "POST",
    `${configMaps}?dryRun=Some`,
    configMap("x"),
    '422 Invalid: CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
  ],
  [
    "a protected namespace",
    "DELETE",
    "/api/v1/namespaces/kube-system",
    undefined,
    '403 Forbidden: namespaces "kube-system" is forbidden: this namespace may not be deleted',
  ],
  [
    "a match without revision",
    "GET",
    `${configMaps}?resourceVersionMatch=Exact`,
    undefined,
    '422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  ],
  [
    "a violated schema rule",
    "POST",
    widgetsPath,
    widget("bad", { size: 11 }),
    '422 Invalid: Widget.example.com "bad" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
  ],
  [
    "two violated schema rules",
    "POST",
    widgetsPath,
    widget("bad", { colour: "blue" }),
    '422 Invalid: Widget.example.com "bad" is invalid: [spec.colour: Unsupported value: "blue": supported values: "red", "green", spec.size: Required value]',
  ],
] as const) {
  test(`${what} fails with ${expected.slice(0, 3)}`, async () => {
    const response = await server.call(method, path, { body, headers });
    assert.equal(message(response), expected);
    assert.equal(scalarStringAt(response.body, "kind"), "Status");
    assert.equal(valueAt(response.body, "code"), response.status);
  });
}

test("an update needs the current resourceVersion, and an unchanged object is not written", async () => {
  const { body: created } = await server.call("POST", configMaps, { body: configMap("updated", { a: "1" }) });
  const path = `${configMaps}/updated`;
  const next = { ...objectAt(created), data: { a: "2" } };
  const updated = await server.call("PUT", path, { body: next });
  assert.equal(updated.status, 200);
  assert.equal(
    message(await server.call("PUT", path, { body: next })),
    '409 Conflict: Operation cannot be fulfilled on configmaps "updated": the object has been modified; please apply your changes to the latest version and try again',
  );
  assert.deepEqual((await server.call("PUT", path, { body: updated.body })).body, updated.body);
  const blind = { ...configMap("updated", { a: "2" }) };
  assert.deepEqual((await server.call("PUT", path, { body: blind })).body, updated.body);
});

test("a custom resource cannot be replaced without a resourceVersion", async () => {
  await server.call("POST", widgetsPath, { body: widget("blind") });
  assert.equal(
    message(await server.call("PUT", `${widgetsPath}/blind`, { body: widget("blind", { size: 2 }) })),
    '422 Invalid: widgets.example.com "blind" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  );
});

test("the generation counts changes of the spec; the status has its own subresource", async () => {
  const generation = ({ body }: Response) => valueAt(body, "metadata", "generation");
  const path = `${widgetsPath}/counted`;
  const body = { ...widget("counted"), status: { replicas: 9 } };
  const created = await server.call("POST", widgetsPath, { body });
  assert.equal(valueAt(created.body, "status"), undefined);
  assert.equal(generation(created), 1);
  const patch = (part: string, change: object) =>
    server.call("PATCH", path + part, { body: change, headers: merge });
  const status = await patch("/status", {
    status: { replicas: 2 },
    spec: { size: 5 },
    metadata: { labels: { a: "b" } },
  });
  assert.equal(generation(status), 1);
  assert.equal(valueAt(status.body, "spec", "size"), 1);
  assert.equal(valueAt(status.body, "metadata", "labels"), undefined);
  const main = await patch("", { spec: { size: 5 }, status: { replicas: 7 } });
  assert.equal(generation(main), 2);
  assert.equal(valueAt(main.body, "status", "replicas"), 2);
  assert.equal(generation(await patch("", { metadata: { labels: { a: "b" } } })), 2);
});

test("scaling goes through the Scale of built-in and custom resources", async () => {
  await server.call("POST", widgetsPath, { body: widget("scaled", { size: 1, replicas: 1 }) });
  const scale = await server.call("PATCH", `${widgetsPath}/scaled/scale`, {
    body: { spec: { replicas: 4 } },
    headers: merge,
  });
  assert.deepEqual(
    [scalarStringAt(scale.body, "kind"), valueAt(scale.body, "spec", "replicas")],
    ["Scale", 4],
  );
  const deployments = "/apis/apps/v1/namespaces/default/deployments";
  await server.call("POST", deployments, {
    body: {
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
      },
    },
  });
  const read = await server.call("GET", `${deployments}/d/scale`);
  assert.deepEqual(valueAt(read.body, "spec"), { replicas: 1 });
  assert.deepEqual(valueAt(read.body, "status"), { replicas: 0, selector: "a=b" });
  const put = await server.call("PUT", `${deployments}/d/scale`, {
    body: { ...objectAt(read.body), spec: { replicas: 3 } },
  });
  assert.equal(put.status, 200);
  const { body } = await server.call("GET", `${deployments}/d`);
  assert.deepEqual([valueAt(body, "spec", "replicas"), valueAt(body, "metadata", "generation")], [3, 2]);
});

test("a deleted object remains until its last finalizer is removed, and none may be added", async () => {
  const path = `${widgetsPath}/held`;
  await server.call("POST", widgetsPath, {
    body: widget("held", { size: 1 }, { finalizers: ["example.com/a"] }),
  });
  const deleted = await server.call("DELETE", path);
  assert.equal(deleted.status, 200);
  assert.ok(scalarStringAt(deleted.body, "metadata", "deletionTimestamp"));
  const finalizers = (list: readonly string[]) =>
    server.call("PATCH", path, { body: { metadata: { finalizers: list } }, headers: merge });
  assert.match(
    message(await finalizers(["example.com/a", "example.com/b"])),
    /^422 .* no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example.com\/b"\}$/,
  );
  assert.equal((await finalizers([])).status, 200);
  assert.equal((await server.call("GET", path)).status, 404);
});

test("a deletion checks its preconditions and returns a Status about the object", async () => {
  const { body } = await server.call("POST", configMaps, { body: configMap("guarded") });
  const uid = scalarStringAt(body, "metadata", "uid");
  const path = `${configMaps}/guarded`;
  assert.equal(
    message(await server.call("DELETE", path, { body: { preconditions: { uid: "other" } } })),
    `409 Conflict: Operation cannot be fulfilled on ConfigMap "guarded": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
  );
  const { body: status } = await server.call("DELETE", path, { body: { preconditions: { uid } } });
  assert.deepEqual(status, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name: "guarded", kind: "configmaps", uid },
  });
});

test("a dry run returns the result without storing it", async () => {
  const created = await server.call("POST", `${configMaps}?dryRun=All`, { body: configMap("dry") });
  assert.equal(created.status, 201);
  assert.equal((await server.call("GET", `${configMaps}/dry`)).status, 404);
  await server.call("POST", configMaps, { body: configMap("wet") });
  const patched = await server.call("PATCH", `${configMaps}/wet?dryRun=All`, {
    body: { data: { a: "b" } },
    headers: merge,
  });
  assert.equal(valueAt(patched.body, "data", "a"), "b");
  await server.call("DELETE", `${configMaps}/wet?dryRun=All`);
  assert.deepEqual(valueAt((await server.call("GET", `${configMaps}/wet`)).body, "data"), {});
});

test("generated names are unique", async () => {
  const body = { metadata: { generateName: "made-" } };
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => server.call("POST", configMaps, { body })));
  const names = made.map((each) => scalarStringAt(each.body, "metadata", "name"));
  assert.equal(new Set(names).size, 5);
  for (const name of names) assert.match(name, /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test("the pages of a list belong to one snapshot", async () => {
  const path = "/apis/example.com/v1/namespaces/kube-public/widgets";
  for (const name of ["a", "b", "c", "d", "e"]) await server.call("POST", path, { body: widget(name) });
  const page = async (token = "") => (await server.call("GET", `${path}?limit=2&continue=${token}`)).body;
  const first = await page();
  await server.call("DELETE", `${path}/d`);
  await server.call("POST", path, { body: widget("c2") });
  const second = await page(scalarStringAt(first, "metadata", "continue"));
  const third = await page(scalarStringAt(second, "metadata", "continue"));
  const pages = [first, second, third];
  assert.deepEqual(
    pages.map((each) => listAt(each, "items").map((item) => scalarStringAt(item, "metadata", "name"))),
    [["a", "b"], ["c", "d"], ["e"]],
  );
  assert.deepEqual(
    pages.map((each) => valueAt(each, "metadata", "remainingItemCount")),
    [3, 1, undefined],
  );
  assert.equal(new Set(pages.map((each) => scalarStringAt(each, "metadata", "resourceVersion"))).size, 1);
  assert.equal(scalarStringAt(third, "kind"), "WidgetList");
  const exact = `resourceVersionMatch=Exact&resourceVersion=${scalarStringAt(first, "metadata", "resourceVersion")}`;
  assert.equal(listAt((await server.call("GET", `${path}?${exact}`)).body, "items").length, 5);
  assert.match(
    message(await server.call("GET", `${path}?resourceVersion=999999`)),
    /^504 Timeout: .*Too large resource version: 999999, current: \d+$/,
  );
});

test("a collection is deleted by selector", async () => {
  const path = "/api/v1/namespaces/kube-public/secrets";
  for (const [name, a] of [
    ["x", "1"],
    ["y", "2"],
    ["z", "1"],
  ]) {
    await server.call("POST", path, { body: { metadata: { name, labels: { a } }, stringData: { k: "v" } } });
  }
  assert.equal((await server.call("DELETE", `${path}?labelSelector=a=1`)).status, 200);
  const { body } = await server.call("GET", path);
  assert.deepEqual(
    listAt(body, "items").map((each) => scalarStringAt(each, "metadata", "name")),
    ["y"],
  );
  assert.equal(scalarStringAt(listAt(body, "items")[0], "data", "k"), "dg==");
});

test("the three patch types are applied", async () => {
  const path = "/api/v1/namespaces/default/podtemplates/patched";
  const containers = [{ name: "a", image: "1" }];
  await server.call("POST", "/api/v1/namespaces/default/podtemplates", {
    body: { metadata: { name: "patched" }, template: { spec: { containers } } },
  });
  const images = async (type: string, body: unknown) => {
    const response = await server.call("PATCH", path, {
      body,
      headers: { "content-type": `application/${type}+json` },
    });
    return listAt(response.body, "template", "spec", "containers").map(
      (each) => scalarStringAt(each, "name") + scalarStringAt(each, "image"),
    );
  };
  const second = { template: { spec: { containers: [{ name: "b", image: "2" }] } } };
  assert.deepEqual((await images("strategic-merge-patch", second)).sort(), ["a1", "b2"]);
  assert.deepEqual(await images("merge-patch", second), ["b2"]);
  assert.deepEqual(
    await images("json-patch", [{ op: "replace", path: "/template/spec/containers/0/image", value: "3" }]),
    ["b3"],
  );
  const failed = await server.call("PATCH", path, {
    body: [{ op: "test", path: "/metadata/name", value: "other" }],
    headers: { "content-type": "application/json-patch+json" },
  });
  assert.equal(failed.status, 422);
});

test("tables and partial metadata are returned on request", async () => {
  await server.call("POST", widgetsPath, { body: widget("shown", { size: 7 }) });
  const table = await server.call("GET", `${widgetsPath}/shown`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" },
  });
  assert.equal(scalarStringAt(table.body, "kind"), "Table");
  assert.deepEqual(listAt(listAt(table.body, "rows")[0], "cells"), ["shown", 7]);
  const partial = await server.call("GET", widgetsPath, {
    headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
  });
  assert.equal(scalarStringAt(partial.body, "kind"), "PartialObjectMetadataList");
  const specs = listAt(partial.body, "items").map((each) => valueAt(each, "spec"));
  assert.deepEqual([...new Set(specs)], [undefined]);
});

test("unknown fields of custom resources are pruned with a warning, or rejected with strict validation", async () => {
  const body = widget("pruned", { size: 1, shape: "round", free: { any: 1 } });
  const created = await server.call("POST", widgetsPath, { body });
  assert.deepEqual(valueAt(created.body, "spec"), { size: 1, free: { any: 1 }, colour: "red" });
  assert.equal(created.headers.warning, '299 - "unknown field \\"spec.shape\\""');
  const strict = await server.call("POST", `${widgetsPath}?fieldValidation=Strict`, {
    body: { ...body, metadata: { name: "strict" } },
  });
  assert.match(message(strict), /^400 BadRequest: .*strict decoding error: unknown field "spec.shape"$/);
});

test("a custom resource is served in each of its versions", async () => {
  await server.call("POST", widgetsPath, { body: widget("versions") });
  const { body } = await server.call("GET", "/apis/example.com/v1beta1/namespaces/default/widgets/versions");
  assert.equal(scalarStringAt(body, "apiVersion"), "example.com/v1beta1");
  const put = await server.call("PUT", "/apis/example.com/v1beta1/namespaces/default/widgets/versions", {
    body: { ...objectAt(body), spec: { size: 3 } },
  });
  assert.equal(scalarStringAt(put.body, "apiVersion"), "example.com/v1beta1");
  const stored = await server.call("GET", `${widgetsPath}/versions`);
  assert.equal(scalarStringAt(stored.body, "apiVersion"), "example.com/v1");
  assert.equal(valueAt(stored.body, "spec", "size"), 3);
});

test("a name such as __proto__ is data like any other", async () => {
  const text = '{"metadata":{"name":"proto"},"data":{"__proto__":"x","constructor":"y"}}';
  const created = await server.call("POST", configMaps, { body: text });
  assert.match(created.text, /"__proto__":"x"/);
  const patched = await server.call("PATCH", `${configMaps}/proto`, {
    body: '{"data":{"__proto__":"z"}}',
    headers: merge,
  });
  assert.match(patched.text, /"__proto__":"z"/);
  assert.equal(valueAt({}, "x"), undefined);
});
