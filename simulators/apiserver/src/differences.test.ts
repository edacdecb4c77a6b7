/** Tests the intentional differences from kube-apiserver 1.36. For each test title, the README has an entry that refers to it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { connect } from "node:tls";
import { scalarStringAt } from "@keelson/apimachinery";
import { createLogger, listAt, stringsAt, valueAt } from "@keelson/base";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const core = "/api/v1/namespaces/default";
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const merge = { "content-type": "application/merge-patch+json" };
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const container = { name: "c", image: "i" };

async function message(method: string, path: string, body: object, headers = {}): Promise<string> {
  const response = await server.call(method, path, { body, headers });
  return `${response.status} ${scalarStringAt(response.body, "message")}`;
}

async function columns(path: string): Promise<readonly string[]> {
  const { body } = await server.call("GET", path, { headers: table });
  return listAt(body, "columnDefinitions").map((each) => scalarStringAt(each, "name"));
}

function definition(plural: string, kind: string, versions: readonly object[]): object {
  return {
    metadata: { name: `${plural}.tour.example.com` },
    spec: { group: "tour.example.com", scope: "Namespaced", names: { plural, kind }, versions },
  };
}

const version = (schema: object) => ({ name: "v1", served: true, storage: true, ...schema });

test("tables have the columns of 1.32", async () => {
  assert.deepEqual(await columns(`${core}/serviceaccounts`), ["Name", "Secrets", "Age"]);
  const nodeInfo = { kernelVersion: "6.1", architecture: "amd64" };
  await server.call("POST", "/api/v1/nodes", { body: { metadata: { name: "n" }, status: { nodeInfo } } });
  const at = (await columns("/api/v1/nodes")).indexOf("Kernel-Version");
  const { body } = await server.call("GET", "/api/v1/nodes/n", { headers: table });
  assert.equal(listAt(listAt(body, "rows")[0], "cells")[at], "6.1");
});

test("messages have the wording of 1.32", async () => {
  const long = "x".repeat(64);
  assert.match(
    await message("POST", `${core}/configmaps`, { metadata: { name: "c", labels: { k: long } } }),
    /must be no more than 63 characters$/,
  );
  assert.match(
    await message("POST", definitions, definition("bares", "Bare", [version({})])),
    /spec\.versions\[0\]\.schema\.openAPIV3Schema: Required value: schemas are required$/,
  );
});

test("messages about lists of custom resources and rules show values as in 1.32", async () => {
  const properties = {
    parts: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    },
    colour: { type: "string", "x-kubernetes-validations": [{ rule: "self != 'b'", message: "not b" }] },
  };
  const schema = { openAPIV3Schema: { type: "object", properties } };
  await server.call("POST", definitions, { body: definition("widgets", "Widget", [version({ schema })]) });
  const widgets = "/apis/tour.example.com/v1/namespaces/default/widgets";
  const create = (fields: object) =>
    message("POST", widgets, {
      apiVersion: "tour.example.com/v1",
      kind: "Widget",
      metadata: { name: "w" },
      ...fields,
    });
  assert.match(
    await create({ parts: [{ name: "a" }, { name: "a" }] }),
    /parts\[1\]: Duplicate value: map\[string\]interface \{\}\{"name":"a"\}$/,
  );
  assert.match(await create({ colour: "b" }), /colour: Invalid value: "string": not b$/);
  const rules = { type: "integer", "x-kubernetes-validations": [{ rule: 'self > "a"' }] };
  const broken = { openAPIV3Schema: { type: "object", properties: { n: rules } } };
  assert.match(
    await message("POST", definitions, definition("brokens", "Broken", [version({ schema: broken })])),
    /rule: Invalid value: apiextensions\.ValidationRule\{Rule:"self > /,
  );
});

test("pods have no generation, as in 1.32", async () => {
  const { body } = await server.call("POST", `${core}/pods`, {
    body: { metadata: { name: "solo" }, spec: { containers: [container] } },
  });
  assert.equal(valueAt(body, "metadata", "generation"), undefined);
});

test("a scheduled pod is deleted immediately in a cluster without a kubelet", async () => {
  await server.call("POST", `${core}/pods`, {
    body: { metadata: { name: "placed" }, spec: { nodeName: "n", containers: [container] } },
  });
  const { body } = await server.call("DELETE", `${core}/pods/placed?gracePeriodSeconds=7`);
  assert.equal(valueAt(body, "metadata", "deletionGracePeriodSeconds"), 0);
  assert.equal((await server.call("GET", `${core}/pods/placed`)).status, 404);
});

test("controllers of quotas and policies run in every cluster", async () => {
  await server.call("POST", `${core}/resourcequotas`, {
    body: { metadata: { name: "q" }, spec: { hard: { pods: "50" } } },
  });
  const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  const rule = { apiGroups: ["x"], apiVersions: ["*"], operations: ["CREATE"], resources: ["y"] };
  await server.call("POST", policies, {
    body: {
      metadata: { name: "p" },
      spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }] },
    },
  });
  for (let attempt = 0; ; attempt++) {
    const quota = await server.call("GET", `${core}/resourcequotas/q`);
    const policy = await server.call("GET", `${policies}/p`);
    const used = valueAt(quota.body, "status", "used");
    const generation = valueAt(policy.body, "status", "observedGeneration");
    if (used !== undefined && generation !== undefined) {
      assert.deepEqual([Object.keys(Object(used)), generation], [["pods"], 1]);
      return;
    }
    assert.ok(attempt < 600, "the controllers have not written a status");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test("empty maps are stored as sent", async () => {
  const { body } = await server.call("POST", `${core}/configmaps`, {
    body: { metadata: { name: "empty" }, data: {} },
  });
  assert.deepEqual(valueAt(body, "data"), {});
});

test("a watch may begin at any revision of the history", async () => {
  const schema = { openAPIV3Schema: { type: "object" } };
  await server.call("POST", definitions, { body: definition("ceilings", "Ceiling", [version({ schema })]) });
  const path = "/apis/tour.example.com/v1/namespaces/default/ceilings";
  const watch = await server.open("GET", `${path}?watch=1&resourceVersion=1`, {});
  assert.equal(watch.statusCode, 200);
  await server.call("POST", path, {
    body: { apiVersion: "tour.example.com/v1", kind: "Ceiling", metadata: { name: "c" } },
  });
  for await (const chunk of watch) {
    assert.match(String(chunk), /^\{"type":"ADDED"/);
    break;
  }
});

test("an eviction counts the pods of a budget and ignores its status", async () => {
  const labels = { app: "safe" };
  const made = await server.call("POST", `${core}/pods`, {
    body: { metadata: { name: "safe", labels }, spec: { containers: [container] } },
  });
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  await server.call("PATCH", `${core}/pods/safe/status`, { body: { status }, headers: merge });
  assert.equal(made.status, 201);
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  await server.call("POST", budgets, {
    body: { metadata: { name: "b" }, spec: { minAvailable: 1, selector: { matchLabels: labels } } },
  });
  const allowed = { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
  await server.call("PATCH", `${budgets}/b/status`, { body: { status: allowed }, headers: merge });
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "safe" } };
  assert.match(await message("POST", `${core}/pods/safe/eviction`, eviction), /^429 /);
});

test("discovery documents list their protocol buffers as JSON", async () => {
  const response = await server.open("GET", "/apis", {
    headers: { accept: "application/vnd.kubernetes.protobuf, application/json" },
  });
  response.resume();
  assert.equal(response.headers["content-type"], "application/json");
});

test("kinds that became stable after 1.32 are not served", async () => {
  const { body } = await server.call("GET", "/apis/networking.k8s.io/v1");
  const names = listAt(body, "resources").map((each) => scalarStringAt(each, "name"));
  assert.ok(names.includes("networkpolicies"));
  for (const absent of ["ipaddresses", "servicecidrs"]) assert.ok(!names.includes(absent), absent);
  assert.equal((await server.call("GET", "/apis/resource.k8s.io/v1")).status, 404);
});

test("new Services get no IPAddress and a dry run fails for a used node port", async () => {
  const ports = [{ port: 80, nodePort: 30_123 }];
  const service = (name: string) => ({ metadata: { name }, spec: { type: "NodePort", ports } });
  const made = await server.call("POST", `${core}/services`, { body: service("one") });
  assert.match(scalarStringAt(made.body, "spec", "clusterIP"), /^172\.30\./);
  assert.deepEqual(stringsAt(made.body, "spec", "ipFamilies"), ["IPv4"]);
  assert.match(
    await message("POST", `${core}/services?dryRun=All`, service("two")),
    /^422 .*provided port is already allocated/,
  );
});

test("endpoints may have loopback addresses", async () => {
  const subsets = [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ port: 80 }] }];
  const { status } = await server.call("POST", `${core}/endpoints`, {
    body: { metadata: { name: "local" }, subsets },
  });
  assert.equal(status, 201);
});

test("documents of the service account issuer need no authentication", async () => {
  for (const path of ["/openid/v1/jwks", "/.well-known/openid-configuration"]) {
    const response = await server.open("GET", path, { user: undefined });
    response.resume();
    assert.equal(response.statusCode, 200, path);
  }
});

test("a CBOR apply fails with 415", async () => {
  const response = await server.call("PATCH", `${core}/configmaps/c?fieldManager=m`, {
    body: "x",
    headers: { "content-type": "application/apply-patch+cbor" },
  });
  assert.equal(response.status, 415);
});

test("an error message names the JSON type of a named Go type", async () => {
  assert.match(
    await message("POST", `${core}/pods`, { metadata: { name: "x" }, spec: { restartPolicy: 5 } }),
    /^400 .*restartPolicy of type string$/,
  );
});

test("missing rules of a Role are unset", async () => {
  const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  const { body } = await server.call("POST", roles, { body: { metadata: { name: "bare" } } });
  assert.equal(valueAt(body, "rules"), undefined);
});

test("an update may set the node of an unscheduled pod, and pods have no resize", async () => {
  const pods = `${core}/pods`;
  await server.call("POST", pods, {
    body: { metadata: { name: "loose" }, spec: { containers: [container] } },
  });
  const { status, body } = await server.call("PATCH", `${pods}/loose`, {
    body: { spec: { nodeName: "n" } },
    headers: merge,
  });
  assert.equal(status, 200, scalarStringAt(body, "message"));
  assert.equal(
    (await server.call("PATCH", `${pods}/loose/resize`, { body: {}, headers: merge })).status,
    404,
  );
});

test("selectors in access reviews are ignored", async () => {
  const resourceAttributes = {
    verb: "list",
    resource: "pods",
    namespace: "default",
    fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n"] }] },
  };
  const { body } = await server.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    body: { spec: { resourceAttributes } },
  });
  assert.equal(valueAt(body, "status", "allowed"), true);
});

test("exec fails with 501 in a cluster without a kubelet", async () => {
  await server.call("POST", `${core}/pods`, {
    body: { metadata: { name: "idle" }, spec: { nodeName: "n", containers: [container] } },
  });
  const { status } = await server.call("POST", `${core}/pods/idle/exec?command=ls&stdout=1`);
  assert.equal(status, 501);
});

test("a definition is established in the response, and not served with an invalid CA bundle", async () => {
  const schema = { openAPIV3Schema: { type: "object" } };
  const made = await server.call("POST", definitions, {
    body: definition("knobs", "Knob", [version({ schema })]),
  });
  const established = listAt(made.body, "status", "conditions").find(
    (each) => scalarStringAt(each, "type") === "Established",
  );
  assert.equal(scalarStringAt(established, "status"), "True");
  const clientConfig = { url: "https://localhost:1/x", caBundle: Buffer.from("no PEM").toString("base64") };
  const webhook = { clientConfig, conversionReviewVersions: ["v1"] };
  const levers = Object(definition("levers", "Lever", [version({ schema })]));
  await server.call("POST", definitions, {
    body: { ...levers, spec: { ...levers.spec, conversion: { strategy: "Webhook", webhook } } },
  });
  const path = "/apis/tour.example.com/v1/namespaces/default";
  assert.equal((await server.call("GET", `${path}/knobs`)).status, 200);
  assert.equal((await server.call("GET", `${path}/levers`)).status, 404);
});

test("HTTP/2 serves only clients that offer no HTTP/1.1", async () => {
  const { hostname, port } = new URL(server.cluster.url);
  for (const [offer, expected] of [
    [["h2"], "h2"],
    [["h2", "http/1.1"], "http/1.1"],
  ] as const) {
    const ca = server.authority.certificatePem;
    const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: [...offer] });
    await once(socket, "secureConnect");
    assert.equal(socket.alpnProtocol, expected);
    socket.destroy();
  }
});

test("a pod that follows its namespace immediately waits for the default service account", async () => {
  await server.call("POST", "/api/v1/namespaces", { body: { metadata: { name: "fresh" } } });
  const made = await server.call("POST", "/api/v1/namespaces/fresh/pods", {
    body: { metadata: { name: "early" }, spec: { containers: [container] } },
  });
  assert.equal(made.status, 201, scalarStringAt(made.body, "message"));
  assert.equal(scalarStringAt(made.body, "spec", "serviceAccountName"), "default");
});

test("audit annotations of policies are logged", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  await using audited = await TestServer.start(undefined, undefined, undefined, { logger });
  const group = "/apis/admissionregistration.k8s.io/v1";
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  await audited.call("POST", `${group}/validatingadmissionpolicies`, {
    body: {
      metadata: { name: "p" },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        auditAnnotations: [{ key: "named", valueExpression: "object.metadata.name" }],
      },
    },
  });
  const binding = { metadata: { name: "b" }, spec: { policyName: "p", validationActions: ["Audit"] } };
  await audited.call("POST", `${group}/validatingadmissionpolicybindings`, { body: binding });
  await audited.call("POST", `${core}/configmaps`, { body: { metadata: { name: "seen" } } });
  const logged = lines.find((line) => line.includes("admission policy returned audit annotations")) ?? "";
  assert.match(logged, /"p\/named":"seen"/);
});
