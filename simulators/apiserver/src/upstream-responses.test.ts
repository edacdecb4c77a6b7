/** Compares responses and stored objects with kube-apiserver's. Each row tests one rule. */
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
const apps = "/apis/apps/v1/namespaces/default";
const newEvents = "/apis/events.k8s.io/v1/namespaces/default/events";
const accessReviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
const merge = { "content-type": "application/merge-patch+json" };
const strategic = { "content-type": "application/strategic-merge-patch+json" };
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const workload = { selector: { matchLabels: { app: "a" } }, template };
const review = { spec: { resourceAttributes: { verb: "get", resource: "pods" } } };
const owner = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "u" };
const owned = (changes: object) => ({
  metadata: { name: "own", ownerReferences: [{ ...owner, ...changes }] },
});
const event = (changes: object) => ({
  metadata: { name: "bad" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  reportingController: "example.com/tour",
  reportingInstance: "a",
  action: "Start",
  reason: "Started",
  type: "Normal",
  regarding: { namespace: "default" },
  ...changes,
});

type Refusal = readonly [
  request: string,
  body: unknown,
  expected: string,
  headers?: Readonly<Record<string, string>>,
];

const refusals: Readonly<Record<string, Refusal>> = {
  "a selector without a value": [
    `GET ${configMaps}?labelSelector=a%3D%3D%3Db`,
    undefined,
    "400 unable to parse requirement: found '=', expected: identifier",
  ],
  "a selector without a parenthesis": [
    `GET ${configMaps}?labelSelector=a+in+b`,
    undefined,
    "400 unable to parse requirement: found 'b' expected: '('",
  ],
  "a selector with two values": [
    `GET ${configMaps}?labelSelector=a%3Db%3Dc`,
    undefined,
    "400 found '=', expected: ',' or 'end of string'",
  ],
  "a selector with an empty key": [
    `GET ${configMaps}?labelSelector=%2F`,
    undefined,
    '400 unable to parse requirement: <nil>: Invalid value: "/": prefix part must be non-empty; name part must be non-empty; name part must consist of',
  ],
  "a list at a malformed version": [
    `GET ${configMaps}?resourceVersion=abc`,
    undefined,
    '400 invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint',
  ],
  "a watch from a malformed version": [
    `GET ${configMaps}?watch=1&resourceVersion=abc`,
    undefined,
    '500 resourceVersion: Invalid value: "abc": strconv.ParseUint',
  ],
  "an Accept header with a wildcard subtype": [
    `GET ${configMaps}`,
    undefined,
    "406 406: Not Acceptable",
    { accept: "application/*" },
  ],
  "a null body": [`POST ${configMaps}`, null, '422 ConfigMap "" is invalid: metadata.name: Required value'],
  "an owner without a version": [
    `POST ${configMaps}`,
    owned({ apiVersion: "" }),
    '422 ConfigMap "own" is invalid: metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
  ],
  "an owner without a UID": [
    `POST ${configMaps}`,
    owned({ uid: "" }),
    '422 ConfigMap "own" is invalid: metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ],
  "an Event as an owner": [
    `POST ${configMaps}`,
    owned({ kind: "Event" }),
    '422 ConfigMap "own" is invalid: metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
  ],
  "an unqualified finalizer": [
    `POST ${configMaps}`,
    { metadata: { name: "f", finalizers: ["plain"] } },
    '422 ConfigMap "f" is invalid: metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
  ],
  "a changed UID in a patch": [
    `PATCH ${configMaps}/held`,
    { metadata: { uid: "other" } },
    '422 ConfigMap "held" is invalid: metadata.uid: Invalid value: "other": field is immutable',
    merge,
  ],
  "a name that is being deleted": [
    `POST ${configMaps}`,
    { metadata: { name: "held" } },
    '409 object is being deleted: configmaps "held" already exists',
  ],
  "an unknown directive": [
    `PATCH ${apps}/deployments/web`,
    { spec: { template: { $patch: "explode" } } },
    "500 unknown patch type: explode in map: map[$patch:explode]",
    strategic,
  ],
  "a value of a wrong type in a strategic merge patch": [
    `PATCH ${apps}/deployments/web`,
    { spec: { replicas: "many" } },
    '422  "" is invalid: patch: Invalid value: "map[spec:map[replicas:many]]": unrecognized type: int32',
    strategic,
  ],
  "a string instead of an object in a strategic merge patch": [
    `PATCH ${apps}/deployments/web`,
    { spec: { strategy: { rollingUpdate: "x" } } },
    '422  "" is invalid: patch: Invalid value: "map[spec:map[strategy:map[rollingUpdate:x]]]": cannot restore struct from: string',
    strategic,
  ],
  "an impersonated group without a user": [
    `GET ${configMaps}`,
    undefined,
    "400 requested [{Group  system:masters    }] without impersonating a user",
    { "impersonate-group": "system:masters" },
  ],
  "a policy expression of a wrong type": [
    "POST /apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    {
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
          ],
        },
        validations: [{ expression: '"text"' }],
      },
    },
    '422 ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.validations[0].expression: Invalid value: "\\"text\\"": must evaluate to bool but got string',
  ],
  "a definition with two storage versions": [
    "POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    {
      metadata: { name: "gears.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "gears", kind: "Gear" },
        versions: ["v1", "v2"].map((name) => ({
          name,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        })),
      },
    },
    '422 CustomResourceDefinition.apiextensions.k8s.io "gears.example.com" is invalid: [spec.versions: Invalid value: ["v1","v2"]: must have exactly one version marked as storage version, status.storedVersions: Invalid value: ["v1"]: must have the storage version v2]',
  ],
  "a binding without a name": [
    "POST /api/v1/namespaces/default/bindings",
    { target: { name: "n" } },
    '422 Binding "" is invalid: metadata.name: Required value',
  ],
  "a new event without a time": [
    `POST ${newEvents}`,
    event({ eventTime: undefined }),
    '422 Event "bad" is invalid: eventTime: Required value',
  ],
  "a new event without an action": [
    `POST ${newEvents}`,
    event({ action: undefined }),
    '422 Event "bad" is invalid: action: Required value',
  ],
  "a new event without a controller": [
    `POST ${newEvents}`,
    event({ reportingController: undefined }),
    '422 Event "bad" is invalid: [reportingController: Required value, reportingController: Invalid value: "": name part must be non-empty, reportingController: Invalid value: "": name part must consist of',
  ],
  "a new event of an unknown type": [
    `POST ${newEvents}`,
    event({ type: "Odd" }),
    '422 Event "bad" is invalid: type: Invalid value: "": has invalid value: Odd',
  ],
  "an access review without a subject": [
    `POST ${accessReviews}`,
    review,
    '422 .authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
  ],
  "a pull secret that is not JSON": [
    "POST /api/v1/namespaces/default/secrets",
    {
      metadata: { name: "d" },
      type: "kubernetes.io/dockerconfigjson",
      stringData: { ".dockerconfigjson": "x" },
    },
    `422 Secret "d" is invalid: data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character 'x' looking for beginning of value`,
  ],
  "logs without a container name": [
    "GET /api/v1/namespaces/default/pods/pair/log",
    undefined,
    "400 a container name must be specified for pod pair, choose one of: [one two]",
  ],
};

test("errors equal those of kube-apiserver", async (t) => {
  await server.call("POST", configMaps, {
    body: { metadata: { name: "held", finalizers: ["example.com/x"] } },
  });
  await server.call("DELETE", `${configMaps}/held`);
  await server.call("POST", `${apps}/deployments`, { body: { metadata: { name: "web" }, spec: workload } });
  const containers = ["one", "two"].map((name) => ({ name, image: "i" }));
  await server.call("POST", "/api/v1/namespaces/default/pods", {
    body: { metadata: { name: "pair" }, spec: { containers } },
  });
  for (const [title, [request, body, expected, headers = {}]] of Object.entries(refusals)) {
    await t.test(title, async () => {
      const [method = "", path = ""] = request.split(" ");
      const response = await server.call(method, path, { body, headers });
      const shown = `${response.status} ${scalarStringAt(response.body, "message")}`;
      assert.equal(shown.slice(0, expected.length), expected);
    });
  }
});

type Stored = readonly [path: string, body: object, field: string, expected: unknown];

const oldEvent = { involvedObject: { namespace: "default" } };
const stored: readonly Stored[] = [
  [
    `${apps}/daemonsets`,
    { spec: workload },
    "status",
    { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
  ],
  [
    `${apps}/daemonsets`,
    { spec: workload },
    "metadata annotations",
    { "deprecated.daemonset.template.generation": "1" },
  ],
  [
    `${apps}/statefulsets`,
    { spec: { ...workload, serviceName: "s" } },
    "status",
    { availableReplicas: 0, replicas: 0 },
  ],
  [`${apps}/replicasets`, { spec: workload }, "status", { replicas: 0 }],
  [
    "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    { spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } } },
    "status",
    { desiredReplicas: 0, currentMetrics: null },
  ],
  [
    "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
    { addressType: "IPv4", endpoints: [{ addresses: ["198.51.100.11"] }] },
    "endpoints",
    [{ addresses: ["198.51.100.11"], conditions: {} }],
  ],
  [
    "/api/v1/nodes",
    { status: { conditions: [{ type: "Ready", status: "True" }] } },
    "status conditions",
    [{ type: "Ready", status: "True", lastHeartbeatTime: null, lastTransitionTime: null }],
  ],
  ["/api/v1/nodes", {}, "status daemonEndpoints", { kubeletEndpoint: { Port: 0 } }],
  ["/api/v1/namespaces/default/events", oldEvent, "eventTime", null],
  ["/api/v1/namespaces/default/events", oldEvent, "reportingComponent", ""],
  [
    "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    { spec: { renewTime: "2024-05-06T09:08:09.5+02:00" } },
    "spec renewTime",
    "2024-05-06T07:08:09.500000Z",
  ],
];

test("a new object has the fields that Go always writes", async (t) => {
  for (const [at, [path, body, field, expected]] of stored.entries()) {
    await t.test(`${path.split("/").at(-1)} ${field}`, async () => {
      const response = await server.call("POST", path, {
        body: { metadata: { name: `new-${at}` }, ...body },
      });
      assert.equal(response.status, 201, scalarStringAt(response.body, "message"));
      assert.deepEqual(valueAt(response.body, ...field.split(" ")), expected);
    });
  }
});

test("a DaemonSet counts its template changes", async () => {
  const path = `${apps}/daemonsets`;
  await server.call("POST", path, { body: { metadata: { name: "counted" }, spec: workload } });
  const counts: unknown[] = [];
  for (const spec of [{ minReadySeconds: 1 }, { template: { metadata: { labels: { b: "c" } } } }]) {
    const { body } = await server.call("PATCH", `${path}/counted`, { body: { spec }, headers: merge });
    counts.push(valueAt(body, "metadata", "annotations", "deprecated.daemonset.template.generation"));
  }
  assert.deepEqual(counts, ["1", "2"]);
});

test("a PersistentVolume records the time of its phase change", async () => {
  const spec = {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    hostPath: { path: "/data" },
  };
  const { body } = await server.call("POST", "/api/v1/persistentvolumes", {
    body: { metadata: { name: "v" }, spec },
  });
  assert.equal(scalarStringAt(body, "status", "phase"), "Pending");
  assert.equal(
    scalarStringAt(body, "status", "lastPhaseTransitionTime"),
    scalarStringAt(body, "metadata", "creationTimestamp"),
  );
});

test("a denied access review has no reason", async () => {
  const { body } = await server.call("POST", accessReviews, {
    body: { spec: { user: "guest", ...review.spec } },
  });
  assert.deepEqual(valueAt(body, "status"), { allowed: false });
});

test("a Service that becomes an ExternalName has no address", async () => {
  const services = "/api/v1/namespaces/default/services";
  await server.call("POST", services, { body: { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } } });
  const spec = { type: "ExternalName", externalName: "db.example.com", clusterIP: "", clusterIPs: null };
  const { status, body } = await server.call("PATCH", `${services}/s`, { body: { spec }, headers: merge });
  assert.equal(status, 200, scalarStringAt(body, "message"));
  assert.equal(valueAt(body, "spec", "clusterIP"), undefined);
});

test("paths that no handler serves are 404 as text", async () => {
  for (const path of ["/nope", "/apis/nope.example.com/v1"]) {
    const response = await server.open("GET", path, {});
    const body = (await response.toArray()).map(String).join("");
    assert.deepEqual(
      [response.statusCode, response.headers["content-type"], body],
      [404, "text/plain; charset=utf-8", "404 page not found\n"],
    );
  }
});

test("only the first table of a watch has column definitions", async () => {
  const watch = await server.open("GET", `${configMaps}?watch=1&resourceVersion=0&labelSelector=table`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  });
  const labels = { table: "yes" };
  await server.call("POST", configMaps, { body: { metadata: { name: "t1", labels } } });
  await server.call("POST", configMaps, { body: { metadata: { name: "t2", labels } } });
  let text = "";
  for await (const chunk of watch) {
    text += String(chunk);
    if (text.split("\n").length > 2) break;
  }
  const counts = text
    .trim()
    .split("\n")
    .map((line) => listAt(JSON.parse(line), "object", "columnDefinitions").length);
  assert.deepEqual(counts, [3, 0]);
});

test("a denial by one policy keeps the warning of a policy with a later name", async () => {
  const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  for (const [name, action] of [
    ["a-deny", "Deny"],
    ["b-warn", "Warn"],
  ] as const) {
    const spec = {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "object.metadata.name != 'judged'", message: `${action} this` }],
    };
    await server.call("POST", `${policies}ies`, { body: { metadata: { name }, spec } });
    const binding = { policyName: name, validationActions: [action] };
    await server.call("POST", `${policies}ybindings`, { body: { metadata: { name }, spec: binding } });
  }
  const { status, headers } = await server.call("POST", configMaps, {
    body: { metadata: { name: "judged" } },
  });
  assert.equal(status, 422);
  assert.match(String(headers.warning), /binding 'b-warn': Warn this/);
});

test("a Binding in the resource bindings assigns the pod with its name", async () => {
  const pods = "/api/v1/namespaces/default/pods";
  await server.call("POST", pods, {
    body: { metadata: { name: "loose" }, spec: { containers: [{ name: "c", image: "i" }] } },
  });
  const binding = { metadata: { name: "loose" }, target: { kind: "Node", name: "somewhere" } };
  const bind = () => server.call("POST", "/api/v1/namespaces/default/bindings", { body: binding });
  assert.equal((await bind()).status, 201);
  const { body } = await server.call("GET", `${pods}/loose`);
  assert.equal(valueAt(body, "spec", "nodeName"), "somewhere");
  assert.equal((await bind()).status, 409);
  const list = await server.call("GET", "/api/v1");
  const found = listAt(list.body, "resources").find((each) => scalarStringAt(each, "name") === "bindings");
  assert.deepEqual(found, {
    name: "bindings",
    singularName: "binding",
    namespaced: true,
    kind: "Binding",
    verbs: ["create"],
  });
});

test("a table of a scale has the wanted and the available replicas", async () => {
  await server.call("POST", `${apps}/deployments`, {
    body: { metadata: { name: "scaled" }, spec: { ...workload, replicas: 2 } },
  });
  const { body } = await server.call("GET", `${apps}/deployments/scaled/scale`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  });
  const names = listAt(body, "columnDefinitions").map((each) => scalarStringAt(each, "name"));
  assert.deepEqual(names, ["Name", "Desired", "Available", "Age"]);
  assert.deepEqual(listAt(listAt(body, "rows")[0], "cells").slice(0, 3), ["scaled", 2, 0]);
});

test("responses are indented with ?pretty and for command line clients", async () => {
  const text = async (query: string, headers: Readonly<Record<string, string>>) => {
    const response = await server.open("GET", `${configMaps}${query}`, { headers });
    return (await response.toArray()).map(String).join("");
  };
  assert.match(await text("?pretty=true", {}), /^\{\n {2}"kind": "ConfigMapList",\n/);
  assert.match(await text("", { "user-agent": "curl/8" }), /^\{\n {2}"kind"/);
  assert.match(await text("?pretty=0", { "user-agent": "curl/8" }), /^\{"kind"/);
  assert.match(await text("", { "user-agent": "kubectl/v1.32" }), /^\{"kind":.*\}\n$/s);
});

test("OpenAPI 3 documents have SHA-512 hashes in upper case", async () => {
  const { body } = await server.call("GET", "/openapi/v3");
  const url = scalarStringAt(valueAt(body, "paths", "api/v1"), "serverRelativeURL");
  assert.match(url, /\?hash=[0-9A-F]{128}$/);
  const response = await server.open("GET", url, {});
  assert.equal(response.headers.etag, `"${url.replace(/.*hash=/, "")}"`);
  response.resume();
});

test("OpenAPI documents have the paths of custom resources, their subresources and their list in all namespaces", async () => {
  const names = { plural: "dials", kind: "Dial" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const version = { name: "v1", served: true, storage: true, schema, subresources: { status: {}, scale } };
  const { status, body } = await server.call(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    {
      body: {
        metadata: { name: "dials.path.example.com" },
        spec: { group: "path.example.com", scope: "Namespaced", names, versions: [version] },
      },
    },
  );
  assert.equal(status, 201, scalarStringAt(body, "message"));
  const base = "/apis/path.example.com/v1";
  const document = await server.call("GET", `/openapi/v3${base}`);
  const paths = Object(valueAt(document.body, "paths"));
  const one = `${base}/namespaces/{namespace}/dials/{name}`;
  assert.deepEqual(Object.keys(paths).sort(), [
    `${base}/dials`,
    one.slice(0, -7),
    one,
    `${one}/scale`,
    `${one}/status`,
  ]);
  assert.deepEqual(Object.keys(paths[`${one}/scale`]).sort(), ["get", "parameters", "patch", "put"]);
});
