import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { type KeyPair, valueAt } from "@keelson/base";
import { type Response, TestServer } from "../testing/test-server.ts";

const group = "rbac.authorization.k8s.io";

let server: TestServer;
/** User who may impersonate bob, the group builders and two of the scopes. */
let proxy: KeyPair;
before(async () => {
  server = await TestServer.start();
  proxy = await server.user({ commonName: "proxy" });
  const rbac = (resource: string) => ({ group, version: "v1", resource });
  const apiVersion = `${group}/v1`;
  const authentication = ["authentication.k8s.io"];
  const verbs = ["impersonate"];
  await server.cluster.client.create(rbac("clusterroles"), {
    apiVersion,
    kind: "ClusterRole",
    metadata: { name: "proxy" },
    rules: [
      { apiGroups: [""], resources: ["users"], resourceNames: ["bob"], verbs },
      { apiGroups: [""], resources: ["groups"], resourceNames: ["builders"], verbs },
      { apiGroups: authentication, resources: ["userextras/scopes"], resourceNames: ["a b", "c"], verbs },
    ],
  });
  await server.cluster.client.create(rbac("clusterrolebindings"), {
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: { name: "proxy" },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: "proxy" },
    subjects: [{ apiGroup: group, kind: "User", name: "proxy" }],
  });
});
after(() => server[Symbol.asyncDispose]());

function whoAmI(headers: Readonly<Record<string, string>>, user = server.admin): Promise<Response> {
  return server.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    user,
    headers,
    body: {},
  });
}

test("the administrator can impersonate all users, with their implicit groups", async () => {
  const rows: readonly (readonly [headers: Record<string, string>, userInfo: object])[] = [
    [{ "impersonate-user": "bob" }, { username: "bob", groups: ["system:authenticated"] }],
    [
      { "impersonate-user": "bob", "impersonate-group": "builders", "impersonate-uid": "u1" },
      { username: "bob", groups: ["builders", "system:authenticated"], uid: "u1" },
    ],
    [
      { "impersonate-user": "system:serviceaccount:ns:sa" },
      {
        username: "system:serviceaccount:ns:sa",
        groups: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
      },
    ],
    [
      { "impersonate-user": "bob", "impersonate-extra-acme.com%2Fproject": "some" },
      { username: "bob", groups: ["system:authenticated"], extra: { "acme.com/project": ["some"] } },
    ],
  ];
  for (const [headers, userInfo] of rows) {
    const response = await whoAmI(headers);
    assert.deepEqual(valueAt(response.body, "status", "userInfo"), userInfo, response.text);
  }
});

test("a request with impersonation has the permissions of the impersonated user only", async () => {
  const headers = { "impersonate-user": "bob" };
  const response = await server.call("GET", "/api/v1/nodes", { headers });
  assert.equal(response.status, 403);
  assert.match(scalarStringAt(response.body, "message"), /User "bob" cannot list resource "nodes"/);
});

test("impersonation needs separate permissions for the user, each group and each extra value", async () => {
  const bob = { "impersonate-user": "bob" };
  assert.equal((await whoAmI(bob, proxy)).status, 201);
  assert.equal((await whoAmI({ ...bob, "impersonate-group": "builders" }, proxy)).status, 201);
  assert.equal((await whoAmI({ ...bob, "impersonate-extra-scopes": "a b" }, proxy)).status, 201);
  const rows: readonly (readonly [headers: Record<string, string>, message: string])[] = [
    [
      { "impersonate-user": "alice" },
      'users "alice" is forbidden: User "proxy" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      { ...bob, "impersonate-group": "system:masters" },
      'groups "system:masters" is forbidden: User "proxy" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      { "impersonate-user": "system:serviceaccount:ns:sa" },
      'serviceaccounts "sa" is forbidden: User "proxy" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
    ],
    [
      { ...bob, "impersonate-extra-scopes": "d" },
      'userextras.authentication.k8s.io "d" is forbidden: User "proxy" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      { ...bob, "impersonate-uid": "u" },
      'uids.authentication.k8s.io "u" is forbidden: User "proxy" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    ],
  ];
  for (const [headers, message] of rows) {
    const response = await whoAmI(headers, proxy);
    assert.equal(scalarStringAt(response.body, "message"), message);
    assert.equal(response.status, 403);
  }
});

test("impersonation of groups needs a user name, and impersonation needs authentication", async () => {
  const response = await whoAmI({ "impersonate-group": "builders" });
  assert.equal(response.status, 400);
  assert.match(scalarStringAt(response.body, "message"), /without impersonating a user/);
  const anonymous = await server.call("GET", "/apis", {
    user: undefined,
    headers: { "impersonate-user": "system:admin" },
  });
  assert.ok([401, 403].includes(anonymous.status));
});
