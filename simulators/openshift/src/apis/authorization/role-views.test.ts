import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt } from "@keelson/base";
import { ApiWorld } from "../testing/api-world.ts";

const rbac = "rbac.authorization.k8s.io";
const view = "/apis/authorization.openshift.io/v1/namespaces/mine";
const bindings = `/apis/${rbac}/v1/namespaces/mine/rolebindings`;

/**
 * Starts a cluster. Alice may write roles and bindings in the namespace `mine` through either API group. She also has the
 * ClusterRole `view` there.
 */
async function start() {
  const world = await ApiWorld.start();
  const alice = await world.user("alice");
  const post = (path: string, body: object) => world.call("POST", path, { body });
  await post("/api/v1/namespaces", { metadata: { name: "mine" } });
  await post(`/apis/${rbac}/v1/clusterroles`, {
    metadata: { name: "role-author" },
    rules: [
      {
        apiGroups: [rbac, "authorization.openshift.io"],
        resources: ["roles", "rolebindings"],
        verbs: ["create", "get", "update"],
      },
      { apiGroups: ["project.openshift.io"], resources: ["projects"], verbs: ["get", "update", "patch"] },
    ],
  });
  for (const name of ["role-author", "view"]) {
    await post(bindings, {
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
      subjects: [{ apiGroup: rbac, kind: "User", name: "alice" }],
    });
  }
  return { world, alice };
}

const binding = (name: string, role: string) => ({
  metadata: { name },
  roleRef: { name: role },
  subjects: [{ kind: "User", name: "alice" }],
});

test("OpenShift's group allows no grants beyond the rights of the caller", async () => {
  const { world, alice: user } = await start();
  await using _ = world;
  const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
  const granted = await world.call("POST", `${view}/rolebindings`, { body: binding("a", "view"), user });
  assert.equal(granted.status, 201, JSON.stringify(granted.body));
  for (const [method, path, body] of [
    ["POST", "rolebindings", binding("b", "cluster-admin")],
    ["PUT", "rolebindings/a", binding("a", "cluster-admin")],
    ["POST", "roles", { metadata: { name: "all" }, rules }],
  ] as const) {
    const response = await world.call(method, `${view}/${path}`, { body, user });
    assert.ok([403, 422].includes(response.status), `${method} ${path}: ${JSON.stringify(response.body)}`);
  }
  const secrets = await world.call("GET", "/api/v1/namespaces/mine/secrets", { user });
  assert.equal(secrets.status, 403);
});

test("a dry run through OpenShift's group writes and deletes nothing", async () => {
  const { world } = await start();
  await using _ = world;
  const created = await world.call("POST", `${view}/rolebindings?dryRun=All`, { body: binding("a", "view") });
  assert.equal(created.status, 201);
  assert.equal((await world.call("GET", `${bindings}/a`)).status, 404);
  assert.equal((await world.call("DELETE", `${view}/rolebindings/view?dryRun=All`)).status, 200);
  assert.equal((await world.call("GET", `${bindings}/view`)).status, 200);
});

test("a user with rights in one project cannot change a different project by naming it in the body", async () => {
  const { world, alice: user } = await start();
  await using _ = world;
  const other = { metadata: { name: "default", labels: { taken: "true" } } };
  for (const [method, contentType] of [
    ["PUT", "application/json"],
    ["PATCH", "application/merge-patch+json"],
  ] as const) {
    const path = "/apis/project.openshift.io/v1/projects/mine";
    const response = await world.call(method, path, { body: other, contentType, user });
    assert.equal(response.status, 400, JSON.stringify(response.body));
  }
  const { body } = await world.call("GET", "/api/v1/namespaces/default");
  assert.equal(stringAt(body, "metadata", "labels", "taken"), undefined);
});
