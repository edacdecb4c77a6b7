import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ObjectMeta, scalarStringAt } from "@keelson/apimachinery";
import { createCertificateAuthority, issueCertificate, type KeyPair, listAt, valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
let bob: KeyPair;
before(async () => {
  server = await TestServer.start();
  bob = await server.user({ commonName: "bob", organizations: ["builders"] });
});
after(() => server[Symbol.asyncDispose]());

const rbac = "rbac.authorization.k8s.io";
const apiVersion = `${rbac}/v1`;

interface RbacObject {
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [member: string]: unknown;
}

async function create(resource: string, object: RbacObject): Promise<void> {
  await server.cluster.client.create({ group: rbac, version: "v1", resource }, { ...object, apiVersion });
}

test("a client without credentials can read health and version only", async () => {
  for (const path of ["/healthz", "/livez", "/readyz", "/readyz/ping", "/version", "/readyz?verbose"]) {
    assert.equal((await server.call("GET", path, { user: undefined })).status, 200, path);
  }
  for (const path of ["/", "/api", "/apis", "/api/v1/namespaces", "/openapi/v3", "/none"]) {
    const response = await server.call("GET", path, { user: undefined });
    assert.equal(response.status, 403, path);
    assert.match(scalarStringAt(response.body, "message"), /User "system:anonymous" cannot (get|list) /);
  }
});

test("a client without credentials has the permissions of system:unauthenticated", async () => {
  const path = "/api/v1/namespaces/kube-public/configmaps";
  const basic = { authorization: `Basic ${Buffer.from("a:b").toString("base64")}` };
  assert.equal((await server.call("GET", path, { user: undefined })).status, 403);
  await create("rolebindings", {
    kind: "RoleBinding",
    metadata: { name: "everyone", namespace: "kube-public" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "Group", name: "system:unauthenticated", apiGroup: rbac }],
  });
  await until(async () => (await server.call("GET", path, { user: undefined })).status === 200);
  const response = await server.call("GET", path, { user: undefined, headers: basic });
  assert.equal(response.status, 200, "schemes other than bearer tokens are anonymous");
  assert.equal(
    (await server.call("DELETE", path, { user: undefined })).headers["www-authenticate"],
    undefined,
  );
});

test("delegated authentication finds the client CAs", async () => {
  const ref = { group: "", version: "v1", resource: "configmaps" };
  const name = "extension-apiserver-authentication";
  const { data } = await server.cluster.client.get(ref, { namespace: "kube-system", name });
  assert.equal(scalarStringAt(data, "client-ca-file").trim(), server.authority.certificatePem.trim());
});

test("every response has an audit id, by default that of the client", async () => {
  const { headers } = await server.call("GET", "/version");
  assert.match(String(headers["audit-id"]), /^[0-9a-f-]{36}$/);
  const own = await server.call("GET", "/api", { user: undefined, headers: { "audit-id": "mine" } });
  assert.deepEqual([own.status, own.headers["audit-id"]], [403, "mine"]);
});

test("empty reviews and reviews with a different namespace are rejected", async () => {
  const ask = async (path: string, spec: object) => {
    const { status, body } = await server.call("POST", `/apis/authorization.k8s.io/v1/${path}`, {
      body: { spec },
    });
    return [status, scalarStringAt(body, "message")] as const;
  };
  const pods = { verb: "get", resource: "pods" };
  const rows: readonly (readonly [path: string, spec: object, status: number, message: RegExp])[] = [
    [
      "subjectaccessreviews",
      { user: "u" },
      422,
      /exactly one of nonResourceAttributes or resourceAttributes/,
    ],
    [
      "subjectaccessreviews",
      { resourceAttributes: pods },
      422,
      /at least one of user or group must be specified/,
    ],
    [
      "selfsubjectaccessreviews",
      { resourceAttributes: pods, nonResourceAttributes: { path: "/", verb: "get" } },
      422,
      /cannot be specified in combination with resourceAttributes/,
    ],
    [
      "namespaces/default/localsubjectaccessreviews",
      { user: "u", resourceAttributes: { ...pods, namespace: "other" } },
      422,
      /spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace/,
    ],
    ["selfsubjectrulesreviews", {}, 400, /^no namespace on request$/],
  ];
  for (const [path, spec, status, message] of rows) {
    const response = await ask(path, spec);
    assert.match(response[1], message);
    assert.equal(response[0], status);
  }
  const local = {
    user: "u",
    groups: ["system:masters"],
    resourceAttributes: { ...pods, namespace: "default" },
  };
  const response = await server.call(
    "POST",
    "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
    {
      body: { spec: local },
    },
  );
  assert.deepEqual([response.status, valueAt(response.body, "status", "allowed")], [201, true]);
});

test("certificates of other CAs, for servers only, or of other clusters are rejected", async () => {
  const other = await createCertificateAuthority("test", 1);
  const foreign = await issueCertificate(other, {
    commonName: "system:admin",
    usage: "client",
    validDays: 1,
  });
  const serving = await server.user({ commonName: "system:admin", usage: "server" });
  const expired = await server.user({ commonName: "system:admin", validDays: -1 });
  for (const user of [foreign, serving, expired]) {
    assert.equal((await server.call("GET", "/api/v1/namespaces", { user })).status, 401);
  }
  await server.server.createCluster({ name: "other", clientCertificateAuthorities: [other.certificatePem] });
  assert.equal((await server.call("GET", "/../other/api/v1/namespaces")).status, 401);
  assert.equal((await server.call("GET", "/../other/api/v1/namespaces", { user: foreign })).status, 200);
});

test("a bearer token authenticates its user, and an invalid one is rejected even for health", async () => {
  const ask = (token: string, path: string) =>
    server.call("GET", path, { user: undefined, headers: { authorization: `Bearer ${token}` } });
  assert.equal((await ask("secret-token", "/api/v1/namespaces")).status, 200);
  assert.equal((await ask("wrong", "/api/v1/namespaces")).status, 401);
  assert.equal((await ask("wrong", "/healthz")).status, 401);
});

test("a 403 response names the missing permission", async () => {
  const ask = async (method: string, path: string, body?: object) =>
    scalarStringAt((await server.call(method, path, { user: bob, body })).body, "message");
  assert.equal(
    await ask("GET", "/api/v1/namespaces/default/pods"),
    'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
  );
  assert.equal(
    await ask("GET", "/apis/apps/v1/deployments"),
    'deployments.apps is forbidden: User "bob" cannot list resource "deployments" in API group "apps" at the cluster scope',
  );
  assert.equal(
    await ask("DELETE", "/api/v1/nodes/n"),
    'nodes "n" is forbidden: User "bob" cannot delete resource "nodes" in API group "" at the cluster scope',
  );
  assert.equal(await ask("GET", "/metrics"), 'forbidden: User "bob" cannot get path "/metrics"');
  assert.equal((await server.call("GET", "/apis", { user: bob })).status, 200);
});

test("roles grant their rules in the scope of the binding", async () => {
  const rules = [
    { apiGroups: [""], resources: ["secrets"], resourceNames: ["mine"], verbs: ["get", "list"] },
    { apiGroups: [""], resources: ["pods", "*/status"], verbs: ["*"] },
  ];
  await create("roles", { kind: "Role", metadata: { name: "r", namespace: "default" }, rules });
  await create("rolebindings", {
    kind: "RoleBinding",
    metadata: { name: "r", namespace: "default" },
    roleRef: { apiGroup: rbac, kind: "Role", name: "r" },
    subjects: [{ kind: "Group", name: "builders", apiGroup: rbac }],
  });
  const status = async (path: string, user = bob) => (await server.call("GET", path, { user })).status;
  assert.equal(await status("/api/v1/namespaces/default/pods"), 200);
  assert.equal(await status("/api/v1/namespaces/kube-system/pods"), 403);
  assert.equal(await status("/api/v1/namespaces/default/secrets/mine"), 404);
  assert.equal(await status("/api/v1/namespaces/default/secrets/other"), 403);
  assert.equal(await status("/api/v1/namespaces/default/secrets"), 403);
  assert.equal(await status("/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3Dmine"), 200);
  assert.equal(await status("/api/v1/namespaces/default/secrets?fieldSelector=metadata.name!%3Dmine"), 403);
  assert.equal(await status("/api/v1/namespaces/default/services/s/status"), 404);
  await server.cluster.client.delete(
    { group: rbac, version: "v1", resource: "rolebindings" },
    { namespace: "default", name: "r" },
  );
  assert.equal(await status("/api/v1/namespaces/default/pods"), 403);
});

test("aggregated roles grant the rules of the roles they select", async () => {
  const selector = { matchLabels: { "example.com/part": "yes" } };
  await create("clusterroles", {
    kind: "ClusterRole",
    metadata: { name: "whole" },
    aggregationRule: { clusterRoleSelectors: [selector] },
    rules: [],
  });
  await create("clusterroles", {
    kind: "ClusterRole",
    metadata: { name: "part", labels: selector.matchLabels },
    rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["list"] }],
  });
  await create("clusterrolebindings", {
    kind: "ClusterRoleBinding",
    metadata: { name: "whole" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "whole" },
    subjects: [{ kind: "User", name: "bob", apiGroup: rbac }],
  });
  await until(async () => (await server.call("GET", "/api/v1/nodes", { user: bob })).status === 200);
});

test("reviews report the user and their permissions", async () => {
  const review = async (group: string, resource: string, spec: object, user = bob) =>
    (await server.call("POST", `/apis/${group}/v1/${resource}`, { user, body: { spec } })).body;
  const may = async (verb: string, user?: KeyPair) =>
    valueAt(
      await review(
        "authorization.k8s.io",
        "selfsubjectaccessreviews",
        { resourceAttributes: { verb, resource: "secrets" } },
        user,
      ),
      "status",
      "allowed",
    );
  assert.equal(await may("get"), false);
  assert.equal(await may("get", server.admin), true);
  const self = await review("authentication.k8s.io", "selfsubjectreviews", {});
  assert.equal(valueAt(self, "status", "userInfo", "username"), "bob");
  assert.deepEqual(valueAt(self, "status", "userInfo", "groups"), ["builders", "system:authenticated"]);
  const rules = await review("authorization.k8s.io", "selfsubjectrulesreviews", { namespace: "default" });
  assert.ok(listAt(rules, "status", "nonResourceRules").length > 0);
  const token = await review(
    "authentication.k8s.io",
    "tokenreviews",
    { token: "secret-token" },
    server.admin,
  );
  assert.equal(valueAt(token, "status", "user", "username"), "robot");
  assert.ok(!JSON.stringify(token).includes("secret-token"));
});
