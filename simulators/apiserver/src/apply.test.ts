import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { builtinTypes } from "@keelson/kinds";
import { type Response, TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const gadgets = "/apis/example.com/v1/namespaces/default/gadgets";

const apply = (path: string, manager: string, body: unknown, query = ""): Promise<Response> =>
  server.call("PATCH", `${path}?fieldManager=${manager}${query}`, {
    headers: { "content-type": "application/apply-patch+yaml" },
    body,
  });
const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.call(method, path, { headers, body });
const mergePatch = (path: string, body: unknown, agent = "tester/1.0") =>
  send("PATCH", path, body, { "content-type": "application/merge-patch+json", "user-agent": agent });

const configMap = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});
const emptied = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const deployment = (name: string, spec: object = {}, containers?: readonly object[]) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: {
      metadata: { labels: { app: "a" } },
      spec: { containers: containers ?? [{ name: "main", image: "one", ports: [{ containerPort: 80 }] }] },
    },
    ...spec,
  },
});

/** Returns the managed fields. Each key has the form `manager operation subresource`. */
function managersOf({ body }: Response): Record<string, unknown> {
  return Object.fromEntries(
    listAt(body, "metadata", "managedFields").map((each) => [
      [
        scalarStringAt(each, "manager"),
        scalarStringAt(each, "operation"),
        scalarStringAt(each, "subresource"),
      ]
        .join(" ")
        .trim(),
      valueAt(each, "fieldsV1"),
    ]),
  );
}
const messageOf = ({ body }: Response) => scalarStringAt(body, "message");
const revisionOf = ({ body }: Response) => scalarStringAt(body, "metadata", "resourceVersion");

test("an apply creates a missing object and is idempotent", async () => {
  const wanted = configMap("first", { a: "1" }, { labels: { l: "x" } });
  const created = await apply(`${configMaps}/first`, "one", wanted);
  assert.equal(created.status, 201);
  assert.deepEqual(managersOf(created), {
    "one Apply": { "f:metadata": { "f:labels": { "f:l": {} } }, "f:data": { "f:a": {} } },
  });
  const [entry] = listAt(created.body, "metadata", "managedFields");
  assert.equal(scalarStringAt(entry, "apiVersion"), "v1");
  assert.equal(scalarStringAt(entry, "fieldsType"), "FieldsV1");
  assert.match(scalarStringAt(entry, "time"), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const again = await apply(`${configMaps}/first`, "one", wanted);
  assert.equal(again.status, 200);
  assert.equal(again.text, created.text);
});

test("YAML and JSON applies are equivalent", async () => {
  const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: |\n    text\n";
  const created = await apply(`${configMaps}/yaml`, "one", yaml);
  assert.equal(created.status, 201);
  assert.equal(scalarStringAt(created.body, "data", "a"), "text\n");
});

test("a different value for another manager's field is a conflict that names the manager, unless forced", async () => {
  const path = `${configMaps}/conflict`;
  await apply(path, "one", configMap("conflict", { a: "1", b: "1" }));
  const refused = await apply(path, "two", configMap("conflict", { a: "2" }));
  assert.equal(refused.status, 409);
  assert.equal(messageOf(refused), 'Apply failed with 1 conflict: conflict with "one": .data.a');
  assert.equal(scalarStringAt(refused.body, "reason"), "Conflict");
  assert.deepEqual(objectAt(refused.body, "details"), {
    causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.a" }],
  });
  const twice = await apply(path, "two", configMap("conflict", { a: "2", b: "2" }));
  assert.equal(
    messageOf(twice),
    'Apply failed with 2 conflicts: conflicts with "one":\n- .data.a\n- .data.b',
  );
  const forced = await apply(path, "two", configMap("conflict", { a: "2" }), "&force=true");
  assert.equal(forced.status, 200);
  assert.deepEqual(managersOf(forced), {
    "one Apply": { "f:data": { "f:b": {} } },
    "two Apply": { "f:data": { "f:a": {} } },
  });
});

test("a conflict names an updater with its version", async () => {
  const path = `${configMaps}/updated`;
  await send("POST", `${configMaps}?fieldManager=kubectl-create`, configMap("updated", { a: "1" }));
  const refused = await apply(path, "two", configMap("updated", { a: "2" }));
  assert.equal(
    messageOf(refused),
    'Apply failed with 1 conflict: conflict with "kubectl-create" using v1: .data.a',
  );
});

test("managers share an equal value, and a field without a manager is removed", async () => {
  const path = `${configMaps}/shared`;
  await apply(path, "one", configMap("shared", { a: "1", b: "1" }));
  const shared = await apply(path, "two", configMap("shared", { a: "1" }));
  assert.deepEqual(managersOf(shared), {
    "one Apply": { "f:data": { "f:a": {}, "f:b": {} } },
    "two Apply": { "f:data": { "f:a": {} } },
  });
  const dropped = await apply(path, "one", emptied("shared"));
  assert.deepEqual(valueAt(dropped.body, "data"), { a: "1" });
  assert.deepEqual(managersOf(dropped), {
    "two Apply": { "f:data": { "f:a": {} } },
  });
});

test("an update takes ownership of changed fields from appliers", async () => {
  const path = `${configMaps}/taken`;
  await apply(path, "one", configMap("taken", { a: "1", b: "1" }));
  const taken = await mergePatch(path, { data: { a: "2" } });
  assert.deepEqual(managersOf(taken), {
    "one Apply": { "f:data": { "f:b": {} } },
    "tester Update": { "f:data": { "f:a": {} } },
  });
  const removed = await mergePatch(path, { data: { a: null, b: null } });
  assert.deepEqual(managersOf(removed), {});
});

test("a creator owns all fields of the created object, including parent objects", async () => {
  const created = await send("POST", deployments, deployment("created"), { "user-agent": "kubectl/v1.36" });
  const fields = objectAt(managersOf(created), "kubectl Update");
  assert.deepEqual(valueAt(fields, "f:metadata"), undefined);
  assert.deepEqual(valueAt(fields, "f:spec", "f:selector"), {});
  const template = objectAt(fields, "f:spec", "f:template");
  assert.deepEqual(valueAt(template, "f:metadata"), { "f:labels": { ".": {}, "f:app": {} } });
  const container = objectAt(template, "f:spec", "f:containers", 'k:{"name":"main"}');
  assert.deepEqual(valueAt(container, "."), {});
  assert.deepEqual(valueAt(container, "f:name"), {});
  assert.deepEqual(
    Object.keys(objectAt(container, "f:ports")).filter((key) => key.startsWith("k:")),
    ['k:{"containerPort":80,"protocol":"TCP"}'],
  );
  assert.equal(valueAt(fields, "f:status"), undefined);
});

test("server-set fields of a new object are not owned by its creator, unless requested", async () => {
  const port = { port: 80 };
  const service = (name: string, spec: object = {}) =>
    send(
      "POST",
      "/api/v1/namespaces/default/services?fieldManager=c",
      { metadata: { name }, spec: { ports: [port], ...spec } },
      { "content-type": "application/json" },
    );
  const given = objectAt(managersOf(await service("given")), "c Update", "f:spec");
  assert.equal(given["f:clusterIP"], undefined);
  assert.deepEqual(Object.keys(objectAt(given, "f:ports")).sort(), [".", 'k:{"port":80,"protocol":"TCP"}']);
  assert.deepEqual(given["f:type"], {});
  const asked = objectAt(managersOf(await service("asked", { clusterIP: "None" })), "c Update", "f:spec");
  assert.deepEqual(asked["f:clusterIP"], {});
  const nodePortOf = async (name: string, nodePort?: number) => {
    const made = await service(name, { type: "NodePort", ports: [{ ...port, nodePort }] });
    const ports = objectAt(managersOf(made), "c Update", "f:spec", "f:ports");
    return valueAt(ports, 'k:{"port":80,"protocol":"TCP"}', "f:nodePort");
  };
  assert.deepEqual([await nodePortOf("any"), await nodePortOf("chosen", 30_099)], [undefined, {}]);
  const namespace = await send("POST", "/api/v1/namespaces?fieldManager=c", { metadata: { name: "owned" } });
  assert.deepEqual(managersOf(namespace), {
    "c Update": { "f:metadata": { "f:labels": { ".": {}, "f:kubernetes.io/metadata.name": {} } } },
  });
});

test("every stored built-in kind supports apply and field ownership", async () => {
  const { client } = server.cluster;
  const skipped = new Set(["bindings", "componentstatuses"]);
  for (const type of builtinTypes) {
    if (!type.verbs.includes("patch") || !type.verbs.includes("create") || skipped.has(type.plural)) continue;
    const apiVersion = type.group ? `${type.group}/${type.version}` : type.version;
    const object = {
      apiVersion,
      kind: type.kind,
      metadata: { name: "every", ...(type.namespaced ? { namespace: "default" } : {}), labels: { l: "x" } },
    };
    const ref = { group: type.group, version: type.version, resource: type.plural };
    const applied = await client.apply(ref, object, { fieldManager: "one" }).catch((error: unknown) => error);
    // Most kinds require more fields than a name. For these kinds, the request fails in the validation of the object, and not in
    // the apply itself.
    if (valueAt(applied, "kind") === undefined)
      assert.equal(Object(applied).code, 422, `${type.plural} ${applied}`);
    else assert.deepEqual(listAt(applied, "metadata", "managedFields").length, 1, type.plural);
  }
});

test("containers and their ports merge by their keys and keep the applied order", async () => {
  const path = `${deployments}/merged`;
  const named = (name: string, ports: readonly object[]) => ({ name, image: name, ports });
  await apply(path, "one", deployment("merged", {}, [named("b", [{ containerPort: 80 }])]));
  const two = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "merged" },
    spec: {
      template: {
        spec: {
          containers: [
            { name: "a", image: "a" },
            { name: "b", ports: [{ containerPort: 80, protocol: "UDP" }] },
          ],
        },
      },
    },
  };
  const both = await apply(path, "two", two);
  assert.equal(both.status, 200);
  const containers = listAt(both.body, "spec", "template", "spec", "containers");
  assert.deepEqual(
    containers.map((each) => scalarStringAt(each, "name")),
    ["a", "b"],
  );
  assert.equal(listAt(containers[1], "ports").length, 2);
  const one = await apply(path, "two", { ...two, spec: {} });
  const left = listAt(one.body, "spec", "template", "spec", "containers");
  assert.deepEqual(
    left.map((each) => [scalarStringAt(each, "name"), listAt(each, "ports").length]),
    [["b", 1]],
  );
});

test("the status and the scale have separate managers", async () => {
  const path = `${deployments}/parts`;
  await apply(path, "one", deployment("parts", { replicas: 2 }));
  const status = await apply(`${path}/status`, "one", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "parts" },
    status: { replicas: 2, conditions: [{ type: "Available", status: "True" }] },
  });
  assert.equal(status.status, 200);
  assert.deepEqual(objectAt(managersOf(status), "one Apply status"), {
    "f:status": {
      "f:replicas": {},
      "f:conditions": { 'k:{"type":"Available"}': { ".": {}, "f:type": {}, "f:status": {} } },
    },
  });
  const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "parts" } };
  const refused = await apply(`${path}/scale`, "scaler", { ...scale, spec: { replicas: 3 } });
  assert.equal(messageOf(refused), 'Apply failed with 1 conflict: conflict with "one": .spec.replicas');
  const scaled = await apply(`${path}/scale`, "scaler", { ...scale, spec: { replicas: 3 } }, "&force=true");
  assert.equal(scalarStringAt(scaled.body, "spec", "replicas"), "3");
  const updated = await mergePatch(`${path}/scale`, { spec: { replicas: 4 } });
  assert.equal(scalarStringAt(updated.body, "spec", "replicas"), "4");
  const managers = managersOf(await server.call("GET", path));
  assert.deepEqual(managers["tester Update scale"], { "f:spec": { "f:replicas": {} } });
  assert.equal(managers["scaler Apply scale"], undefined);
  assert.ok(managers["one Apply"], "it still has the rest");
  assert.equal(valueAt(managers["one Apply"], "f:spec", "f:replicas"), undefined);
  const absent = await apply(`${deployments}/absent/status`, "one", deployment("absent"));
  assert.equal(absent.status, 404);
});

test("invalid applies are rejected with the reason", async () => {
  const path = `${configMaps}/refused`;
  const body = configMap("refused", { a: "1" });
  const rows: readonly [response: Promise<Response>, status: number, message: RegExp | string][] = [
    [
      send("PATCH", path, body, { "content-type": "application/apply-patch+yaml" }),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [apply(path, "a".repeat(129), body), 422, /fieldManager: Too long: may not be more than 128 bytes/],
    [
      mergePatch(`${path}?force=true`, {}),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ],
    [
      apply(path, "one", configMap("refused", {}, { managedFields: [] })),
      400,
      "metadata.managedFields must be nil",
    ],
    [apply(path, "one", { ...body, kind: "Secret" }), 400, "invalid object type: /v1, Kind=Secret"],
    [apply(path, "one", { metadata: { name: "refused" } }), 400, "invalid object type: /, Kind="],
    [
      apply(path, "one", { ...body, extra: 1 }),
      500,
      "failed to create typed patch object (/refused; /v1, Kind=ConfigMap): .extra: field not declared in schema",
    ],
    [
      apply(`${deployments}/refused`, "one", deployment("refused", {}, [{ image: "nameless" }])),
      422,
      /is invalid: spec\.template\.spec\.containers\[0\]\.name: Required value/,
    ],
    [
      apply(`${deployments}/refused`, "one", deployment("refused", {}, [{ name: "a" }, { name: "a" }])),
      500,
      /containers: duplicate entries for key \[name="a"\]/,
    ],
    [apply(path, "one", configMap("other", {})), 400, /does not match the name on the URL/],
    [
      apply(path, "one", configMap("refused", {}, { uid: "u" })),
      409,
      /uid mismatch: the provided object specified uid u, and no existing object was found/,
    ],
    [apply(path, "one", ":\n  - ]"), 400, /error parsing YAML/],
  ];
  for (const [response, status, message] of rows) {
    const found = await response;
    assert.equal(found.status, status, messageOf(found));
    if (typeof message === "string") assert.equal(messageOf(found), message);
    else assert.match(messageOf(found), message);
  }
});

test("a dry run of an apply stores nothing", async () => {
  const path = `${configMaps}/dry`;
  const made = await apply(path, "one", configMap("dry", { a: "1" }), "&dryRun=All");
  assert.equal(made.status, 201);
  assert.ok("one Apply" in managersOf(made));
  assert.equal((await server.call("GET", path)).status, 404);
  await apply(path, "one", configMap("dry", { a: "1" }));
  const changed = await apply(path, "one", configMap("dry", { a: "2" }), "&dryRun=All");
  assert.equal(scalarStringAt(changed.body, "data", "a"), "2");
  assert.equal(scalarStringAt((await server.call("GET", path)).body, "data", "a"), "1");
});

test("managed fields can be cleared, and the first apply adds a manager for existing fields", async () => {
  const path = `${configMaps}/cleared`;
  await apply(path, "one", configMap("cleared", { a: "1", b: "1" }));
  const kept = await mergePatch(path, { metadata: { managedFields: [] } });
  assert.ok("one Apply" in managersOf(kept));
  const cleared = await mergePatch(path, { metadata: { managedFields: [{}] } });
  assert.deepEqual(managersOf(cleared), {});
  const untracked = await mergePatch(path, { data: { c: "1" } });
  assert.deepEqual(managersOf(untracked), {});
  const refused = await apply(path, "two", configMap("cleared", { a: "2" }));
  assert.equal(
    messageOf(refused),
    'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
  );
  const applied = await apply(path, "two", configMap("cleared", { a: "1" }));
  assert.deepEqual(managersOf(applied), {
    "before-first-apply Update": { "f:data": { ".": {}, "f:a": {}, "f:b": {}, "f:c": {} } },
    "two Apply": { "f:data": { "f:a": {} } },
  });
});

test("managed fields remain if a client sends them back or omits them", async () => {
  const path = `${configMaps}/kept`;
  const created = await apply(path, "one", configMap("kept", { a: "1" }));
  const same = await send("PUT", path, created.body);
  assert.equal(revisionOf(same), revisionOf(created));
  const { managedFields: _, ...metadata } = objectAt(created.body, "metadata");
  const ignorant = await send("PUT", `${path}?fieldManager=two`, {
    ...objectAt(created.body),
    metadata,
    data: { a: "1", b: "2" },
  });
  assert.deepEqual(managersOf(ignorant), {
    "one Apply": { "f:data": { "f:a": {} } },
    "two Update": { "f:data": { "f:b": {} } },
  });
  const nonsense = await mergePatch(path, { metadata: { managedFields: [{ manager: "x", fieldsV1: 1 }] } });
  assert.deepEqual(managersOf(nonsense), managersOf(ignorant));
});

test("a client moves its fields from client-side apply to server-side apply by a guarded JSON patch", async () => {
  const path = `${configMaps}/migrated`;
  const query = "?fieldManager=kubectl-client-side-apply";
  const created = await send("POST", `${configMaps}${query}`, configMap("migrated", { a: "1" }));
  const [entry] = listAt(created.body, "metadata", "managedFields");
  const managedFields = [{ ...objectAt(entry), manager: "kubectl", operation: "Apply" }];
  const patch = [
    { op: "replace", path: "/metadata/managedFields", value: managedFields },
    { op: "replace", path: "/metadata/resourceVersion", value: revisionOf(created) },
  ];
  const headers = { "content-type": "application/json-patch+json" };
  const migrated = await send("PATCH", path, patch, headers);
  assert.deepEqual(Object.keys(managersOf(migrated)), ["kubectl Apply"]);
  const late = await send("PATCH", path, patch, headers);
  assert.equal(late.status, 409);
  const dropped = await apply(path, "kubectl", emptied("migrated"));
  assert.equal(dropped.status, 200, dropped.text);
  assert.equal(valueAt(dropped.body, "data"), undefined);
});

test("kubectl takes over fields of its client-side apply and updates the annotation", async () => {
  const path = `${configMaps}/upgraded`;
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const last = JSON.stringify(configMap("upgraded", { a: "1", b: "1" }));
  await send(
    "POST",
    `${configMaps}?fieldManager=kubectl-client-side-apply`,
    configMap("upgraded", { a: "1", b: "1" }, { annotations: { [annotation]: last } }),
  );
  assert.equal((await apply(path, "other", configMap("upgraded", { a: "2" }))).status, 409);
  const taken = await apply(path, "kubectl", configMap("upgraded", { a: "2" }));
  assert.equal(taken.status, 200, messageOf(taken));
  assert.deepEqual(valueAt(taken.body, "data"), { a: "2", b: "1" });
  const kept: unknown = JSON.parse(scalarStringAt(taken.body, "metadata", "annotations", annotation));
  assert.deepEqual(valueAt(kept, "data"), { a: "2" });
  await mergePatch(path, { data: { b: "9" } });
  assert.equal((await apply(path, "kubectl", configMap("upgraded", { a: "2", b: "2" }))).status, 409);
});

test("updaters beyond ten are merged into one, oldest first", async () => {
  const path = `${configMaps}/many`;
  await send("POST", `${configMaps}?fieldManager=u0`, configMap("many", { k0: "1" }));
  for (let at = 1; at <= 12; at++)
    await mergePatch(`${path}?fieldManager=u${at}`, { data: { [`k${at}`]: "1" } });
  const managers = managersOf(await server.call("GET", path));
  assert.equal(Object.keys(managers).length, 10);
  const folded = objectAt(managers, "ancient-changes Update", "f:data");
  assert.ok(Object.keys(folded).filter((key) => key.startsWith("f:k")).length >= 3);
  const all = Object.values(managers).flatMap((each) => Object.keys(objectAt(each, "f:data")));
  assert.equal(all.filter((key) => key.startsWith("f:k")).length, 13);
});

test("lists and maps of custom resources have the ownership of their schema in every version", async () => {
  const list = (extra: object, items: object) => ({ type: "array", ...extra, items });
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          tags: list({ "x-kubernetes-list-type": "set" }, { type: "string" }),
          rules: list(
            { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "proto"] },
            {
              type: "object",
              required: ["port"],
              properties: {
                port: { type: "integer" },
                proto: { type: "string", default: "TCP" },
                note: { type: "string" },
              },
            },
          ),
          plain: list({}, { type: "string" }),
          whole: {
            type: "object",
            "x-kubernetes-map-type": "atomic",
            additionalProperties: { type: "string" },
          },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    },
  };
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
  });
  await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [version("v1", true), version("v2", false)],
    },
  });
  const path = `${gadgets}/g`;
  const gadget = (spec: object, apiVersion = "example.com/v1") => ({
    apiVersion,
    kind: "Gadget",
    metadata: { name: "g" },
    spec,
  });
  const one = await apply(
    path,
    "one",
    gadget({ tags: ["a"], rules: [{ port: 1 }], plain: ["x"], whole: { k: "v" }, free: { f: { g: [1] } } }),
  );
  assert.equal(one.status, 201, messageOf(one));
  assert.deepEqual(managersOf(one), {
    "one Apply": {
      "f:spec": {
        "f:tags": { 'v:"a"': {} },
        "f:rules": { 'k:{"port":1,"proto":"TCP"}': { ".": {}, "f:port": {} } },
        "f:plain": {},
        "f:whole": {},
        "f:free": { "f:f": { ".": {}, "f:g": {} } },
      },
    },
  });
  const two = await apply(
    path,
    "two",
    gadget({
      tags: ["b"],
      rules: [
        { port: 1, note: "n" },
        { port: 1, proto: "UDP" },
      ],
      free: { h: 1 },
    }),
  );
  assert.deepEqual(valueAt(two.body, "spec"), {
    tags: ["a", "b"],
    rules: [
      { port: 1, proto: "TCP", note: "n" },
      { port: 1, proto: "UDP" },
    ],
    plain: ["x"],
    whole: { k: "v" },
    free: { f: { g: [1] }, h: 1 },
  });
  const atomic = await apply(path, "two", gadget({ plain: ["y"], whole: { l: "w" } }));
  assert.equal(
    messageOf(atomic),
    'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.plain\n- .spec.whole',
  );
  const other = await apply(
    `/apis/example.com/v2/namespaces/default/gadgets/g`,
    "two",
    gadget({ tags: ["c"] }, "example.com/v2"),
  );
  assert.deepEqual(valueAt(other.body, "spec", "tags"), ["a", "c"]);
  assert.deepEqual(valueAt(other.body, "spec", "rules"), [{ port: 1, proto: "TCP" }]);
  assert.deepEqual(
    listAt(other.body, "metadata", "managedFields").map((each) => scalarStringAt(each, "apiVersion")),
    ["example.com/v1", "example.com/v2"],
  );
  const unknown = await apply(path, "one", gadget({ colour: "red" }));
  assert.match(messageOf(unknown), /\.spec\.colour: field not declared in schema/);
  const twice = await apply(path, "one", gadget({ tags: ["a", "a"] }));
  assert.match(messageOf(twice), /\.spec\.tags: duplicate entries for key \[="a"\]/);
});

test("fields are owned in the applied version, regardless of other versions", async () => {
  const path = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/versions`;
  const scaler = (version: string, spec: object) => ({
    apiVersion: `autoscaling/${version}`,
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "versions" },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
      ...spec,
    },
  });
  const target = { type: "Utilization", averageUtilization: 50 };
  const metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  const created = await apply(path("v2"), "one", scaler("v2", { metrics }));
  assert.equal(created.status, 201, messageOf(created));
  const other = await apply(path("v1"), "two", scaler("v1", { targetCPUUtilizationPercentage: 80 }));
  assert.equal(messageOf(other), 'Apply failed with 1 conflict: conflict with "one": .spec.metrics');
  const same = await apply(path("v1"), "two", scaler("v1", { targetCPUUtilizationPercentage: 50 }));
  assert.equal(same.status, 200);
  const moved = await apply(path("v1"), "one", scaler("v1", {}));
  assert.equal(moved.status, 200, messageOf(moved));
  assert.equal(valueAt(moved.body, "spec", "targetCPUUtilizationPercentage"), 50);
  assert.deepEqual(
    listAt(moved.body, "metadata", "managedFields").map((each) => scalarStringAt(each, "apiVersion")),
    ["autoscaling/v1", "autoscaling/v1"],
  );
});

test("concurrent appliers of one object all succeed, and the object has all their fields", async () => {
  const path = `${configMaps}/raced`;
  const names = Array.from({ length: 20 }, (_, at) => `m${at}`);
  const responses = await Promise.all(
    names.map((name) => apply(path, name, configMap("raced", { [name]: "1" }))),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [...names.slice(1).map(() => 200), 201]);
  const { body } = await server.call("GET", path);
  assert.equal(Object.keys(objectAt(body, "data")).length, names.length);
});
