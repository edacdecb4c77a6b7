import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import type { KeyPair } from "@keelson/base";
import { type Response, TestServer } from "../testing/test-server.ts";

const group = "rbac.authorization.k8s.io";
const rbac = `/apis/${group}/v1`;
const inDefault = `${rbac}/namespaces/default`;

let server: TestServer;
/** User with all permissions for roles and bindings. She may also read pods. */
let carol: KeyPair;
/** User with the ClusterRole `view` in one namespace. */
let vera: KeyPair;
before(async () => {
  server = await TestServer.start();
  carol = await server.user({ commonName: "carol", organizations: ["granters"] });
  vera = await server.user({ commonName: "vera" });
  await ok("POST", `${rbac}/clusterroles`, {
    metadata: { name: "granter" },
    rules: [
      {
        apiGroups: [group],
        resources: ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
        verbs: ["create", "update", "patch", "get", "list"],
      },
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] },
      { apiGroups: [group], resources: ["clusterroles"], resourceNames: ["edit"], verbs: ["bind"] },
    ],
  });
  await ok("POST", `${rbac}/clusterrolebindings`, binding("granters", "granter", "Group", "granters"));
  await ok("POST", `${inDefault}/rolebindings`, binding("viewers", "view", "User", "vera"));
});
after(() => server[Symbol.asyncDispose]());

function binding(name: string, role: string, kind: string, subject: string): object {
  return {
    metadata: { name },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: group, kind, name: subject }],
  };
}

function send(method: string, path: string, body: object, user = server.admin): Promise<Response> {
  const headers = method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {};
  return server.call(method, path, { user, body, headers });
}

async function ok(method: string, path: string, body: object, user?: KeyPair): Promise<void> {
  const { status, text } = await send(method, path, body, user);
  assert.ok(status === 200 || status === 201, text);
}

async function refused(response: Promise<Response>, message: string): Promise<void> {
  const { status, body } = await response;
  assert.equal(scalarStringAt(body, "message"), message);
  assert.equal(status, 403);
}

const role = (name: string, resources: readonly string[], verbs: readonly string[]) => ({
  metadata: { name },
  rules: [{ apiGroups: [""], resources, verbs }],
});
const carolIs = 'user "carol" (groups=["granters" "system:authenticated"])';

test("the view role permits reads, and a create fails with 403 and the missing permission", async () => {
  assert.equal((await server.call("GET", "/api/v1/namespaces/default/pods", { user: vera })).status, 200);
  await refused(
    send("POST", "/api/v1/namespaces/default/pods", { metadata: { name: "p" } }, vera),
    'pods is forbidden: User "vera" cannot create resource "pods" in API group "" in the namespace "default"',
  );
  assert.equal((await server.call("GET", "/api/v1/namespaces/default/secrets", { user: vera })).status, 403);
});

test("a role cannot grant permissions that its author does not have", async () => {
  await ok("POST", `${inDefault}/roles`, role("held", ["pods"], ["get"]), carol);
  await refused(
    send("POST", `${inDefault}/roles`, role("more", ["pods", "secrets"], ["get", "delete"]), carol),
    `roles.${group} "more" is forbidden: ${carolIs} is attempting to grant RBAC permissions not currently held:\n` +
      '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n' +
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
  );
  const rules = [{ apiGroups: ["apps"], resources: ["*"], verbs: ["get"] }];
  await refused(
    send("PATCH", `${inDefault}/roles/held`, { rules }, carol),
    `roles.${group} "held" is forbidden: ${carolIs} is attempting to grant RBAC permissions not currently held:\n` +
      '{APIGroups:["apps"], Resources:["*"], Verbs:["get"]}',
  );
  await ok("PATCH", `${inDefault}/roles/held`, { metadata: { ownerReferences: null } }, carol);
});

test("a binding to a role with more permissions than its author needs the verb bind on that role", async () => {
  await ok("POST", `${inDefault}/rolebindings`, binding("a", "edit", "User", "x"), carol);
  const { status, body } = await send(
    "POST",
    `${rbac}/clusterrolebindings`,
    binding("a", "cluster-admin", "User", "x"),
    carol,
  );
  assert.equal(status, 403);
  assert.equal(
    scalarStringAt(body, "message"),
    `clusterrolebindings.${group} "a" is forbidden: ${carolIs} is attempting to grant RBAC permissions not currently held:\n` +
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n' +
      '{NonResourceURLs:["*"], Verbs:["*"]}',
  );
  await refused(
    send(
      "PATCH",
      `${inDefault}/rolebindings/viewers`,
      { subjects: [{ kind: "User", name: "carol" }] },
      carol,
    ),
    scalarStringAt(
      (await send("POST", `${inDefault}/rolebindings`, binding("viewers", "view", "User", "x"), carol)).body,
      "message",
    ),
  );
  const missing = await send("POST", `${inDefault}/rolebindings`, binding("b", "none", "User", "x"), carol);
  assert.equal(missing.status, 404);
  assert.equal(scalarStringAt(missing.body, "message"), `rolebindings.${group} "none" not found`);
});

test("a user with escalate on a role name can apply that role, but cannot POST it", async () => {
  const named = { apiGroups: [group], resources: ["clusterroles"], resourceNames: ["mighty"] };
  await ok("POST", `${rbac}/clusterroles`, {
    metadata: { name: "named-escalator" },
    rules: [
      { apiGroups: [group], resources: ["clusterroles"], verbs: ["create"] },
      { ...named, verbs: ["create", "patch", "escalate"] },
    ],
  });
  const erin = await server.user({ commonName: "erin" });
  await ok(
    "POST",
    `${rbac}/clusterrolebindings`,
    binding("named-escalators", "named-escalator", "User", "erin"),
  );
  const apply = (name: string) => {
    const body = { apiVersion: `${group}/v1`, kind: "ClusterRole", ...role(name, ["secrets"], ["get"]) };
    const headers = { "content-type": "application/apply-patch+yaml" };
    return server.call("PATCH", `${rbac}/clusterroles/${name}?fieldManager=erin`, {
      user: erin,
      body,
      headers,
    });
  };
  assert.equal(
    (await send("POST", `${rbac}/clusterroles`, role("mighty", ["secrets"], ["get"]), erin)).status,
    403,
  );
  assert.equal((await apply("mighty")).status, 201);
  assert.equal((await apply("mightier")).status, 403);
});

test("only a user with all permissions can create aggregated roles", async () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { any: "thing" } }] };
  await refused(
    send("POST", `${rbac}/clusterroles`, { metadata: { name: "all" }, aggregationRule }, carol),
    `clusterroles.${group} "all" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
  );
});

test("a user with escalate can grant anything, also a cluster-admin outside system:masters", async () => {
  await ok("POST", `${rbac}/clusterroles`, {
    metadata: { name: "escalator" },
    rules: [{ apiGroups: [group], resources: ["roles"], verbs: ["create", "escalate"] }],
  });
  await ok("POST", `${inDefault}/rolebindings`, binding("escalators", "escalator", "User", "eve"));
  const eve = await server.user({ commonName: "eve" });
  await ok("POST", `${inDefault}/roles`, role("anything", ["secrets"], ["*"]), eve);
  const admin = await server.user({ commonName: "system:admin" });
  await ok("POST", `${rbac}/clusterrolebindings`, binding("granted", "cluster-admin", "User", "y"), admin);
});

test("the role of a binding is immutable", async () => {
  const changed = binding("viewers", "edit", "User", "vera");
  const { status, body } = await send("PUT", `${inDefault}/rolebindings/viewers`, changed);
  assert.equal(status, 422);
  assert.match(
    scalarStringAt(body, "message"),
    /RoleBinding\.rbac.* "viewers" is invalid: roleRef: Invalid value: .*: cannot change roleRef/,
  );
});
