import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isPlainObject, stringAt } from "@keelson/base";
import { ApiWorld } from "../testing/api-world.ts";

const rbac = "rbac.authorization.k8s.io";
const reviews = "/apis/authorization.openshift.io/v1";
const pods = { verb: "get", resource: "pods" };
let world: ApiWorld;

before(async () => {
  world = await ApiWorld.start();
  await post("/api/v1/namespaces", { metadata: { name: "mine" } });
  await post(`/apis/${rbac}/v1/clusterroles`, {
    metadata: { name: "log-reader" },
    rules: [{ apiGroups: [""], resources: ["nodes/log"], verbs: ["get"] }],
  });
  await bind("clusterrolebindings", "log-readers", "log-reader", [{ kind: "Group", name: "auditors" }]);
  await bind("namespaces/mine/rolebindings", "viewers", "view", [
    { kind: "User", name: "alice" },
    { kind: "ServiceAccount", namespace: "mine", name: "robot" },
  ]);
  await bind("namespaces/mine/rolebindings", "admins", "admin", [{ kind: "User", name: "bob" }]);
  await bind("namespaces/mine/rolebindings", "broken", "absent", [{ kind: "User", name: "carol" }]);
});
after(() => world?.[Symbol.asyncDispose]());

async function post(path: string, body: object, user?: Awaited<ReturnType<ApiWorld["user"]>>) {
  const response = await world.call("POST", path, { body, user });
  assert.ok(isPlainObject(response.body));
  return { status: response.status, body: response.body };
}

async function bind(path: string, name: string, role: string, subjects: readonly object[]) {
  const { status, body } = await post(`/apis/${rbac}/v1/${path}`, {
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
    subjects: subjects.map((each) => ("namespace" in each ? each : { apiGroup: rbac, ...each })),
  });
  assert.equal(status, 201, stringAt(body, "message"));
}

test("a LocalResourceAccessReview lists users, service accounts and groups of a namespace", async () => {
  const { status, body } = await post(`${reviews}/namespaces/mine/localresourceaccessreviews`, pods);
  assert.equal(status, 201, stringAt(body, "message"));
  assert.equal(body.kind, "ResourceAccessReviewResponse");
  assert.equal(body.namespace, "mine");
  assert.ok(Array.isArray(body.users) && Array.isArray(body.groups));
  for (const user of ["alice", "bob", "system:serviceaccount:mine:robot"])
    assert.ok(body.users.includes(user));
  assert.ok(!body.users.includes("carol"));
  assert.deepEqual(body.users, body.users.toSorted());
  assert.ok(body.groups.includes("system:masters"));
  assert.equal(body.evalutionError, `clusterrole.${rbac} "absent" not found`);
});

test("a ResourceAccessReview evaluates subresources and cluster-wide bindings only", async () => {
  const nodes = await post(`${reviews}/resourceaccessreviews`, { verb: "get", resource: "nodes/log" });
  assert.ok(Array.isArray(nodes.body.groups) && nodes.body.groups.includes("auditors"));
  const { body } = await post(`${reviews}/resourceaccessreviews`, pods);
  assert.ok(Array.isArray(body.users) && !body.users.includes("alice"));
  assert.equal(body.namespace, "");
});

test("a SubjectAccessReview evaluates a named user, and the caller by default", async () => {
  for (const [user, allowed] of [
    ["alice", true],
    ["carol", false],
  ] as const) {
    const { body } = await post(`${reviews}/subjectaccessreviews`, { ...pods, namespace: "mine", user });
    assert.deepEqual(
      [body.kind, body.namespace, body.allowed],
      ["SubjectAccessReviewResponse", "mine", allowed],
    );
  }
  const own = await post(`${reviews}/subjectaccessreviews`, pods);
  assert.equal(own.body.allowed, true);
  const path = {
    verb: "get",
    isNonResourceURL: true,
    path: "/healthz",
    user: "x",
    groups: ["system:authenticated"],
  };
  assert.equal((await post(`${reviews}/subjectaccessreviews`, path)).body.allowed, true);
});

test("only users with permission for a namespace may review it", async () => {
  const [alice, bob] = [await world.user("alice"), await world.user("bob")];
  const local = `${reviews}/namespaces/mine/localresourceaccessreviews`;
  assert.equal((await post(local, pods, bob)).status, 201);
  for (const [path, body, user] of [
    [local, pods, alice],
    [`${reviews}/resourceaccessreviews`, { ...pods, namespace: "mine" }, bob],
    [`${reviews}/namespaces/default/localsubjectaccessreviews`, { ...pods, user: "alice" }, bob],
  ] as const) {
    const { status, body: failure } = await post(path, body, user);
    assert.equal(status, 403, JSON.stringify(failure));
  }
});

test("invalid reviews fail with the fields' errors", async () => {
  const cases = [
    [{}, '.authorization.openshift.io "" is invalid: [verb: Required value, resource: Required value]'],
    [
      { verb: "get", isNonResourceURL: true, resource: "pods" },
      '.authorization.openshift.io "" is invalid: [path: Required value, resource: Invalid value: "pods": resource may not be specified with non resource URLs]',
    ],
  ] as const;
  for (const [body, message] of cases) {
    const response = await post(`${reviews}/resourceaccessreviews`, body);
    assert.deepEqual([response.status, response.body.message], [422, message]);
  }
  const { status, body } = await post(`${reviews}/namespaces/mine/localresourceaccessreviews`, {
    ...pods,
    namespace: "default",
  });
  assert.equal(status, 400);
  assert.match(stringAt(body, "message") ?? "", /namespace must be: mine/);
});
