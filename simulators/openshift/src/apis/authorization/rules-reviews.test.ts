import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isPlainObject, listAt, stringAt } from "@keelson/base";
import { ApiWorld } from "../testing/api-world.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const reviews = "/apis/authorization.openshift.io/v1/namespaces/mine";
let world: ApiWorld;

before(async () => {
  world = await ApiWorld.start();
  await post("/api/v1/namespaces", { metadata: { name: "mine" } });
  await post(`${rbac}/clusterroles`, {
    metadata: { name: "worker" },
    rules: [
      { apiGroups: ["", "apps"], resources: ["secrets", "pods"], verbs: ["list", "get"] },
      { apiGroups: [""], resources: ["pods"], verbs: ["watch"] },
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["b", "a"], verbs: ["get"] },
      { nonResourceURLs: ["/metrics"], verbs: ["get"] },
    ],
  });
  for (const [name, role] of [
    ["workers", "worker"],
    ["admins", "admin"],
    ["brokens", "absent"],
  ] as const) {
    await post(`${rbac}/namespaces/mine/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: name.slice(0, -1) }],
    });
  }
});
after(() => world?.[Symbol.asyncDispose]());

async function post(path: string, body: object, user?: Awaited<ReturnType<ApiWorld["user"]>>) {
  const response = await world.call("POST", path, { body, user });
  assert.ok(isPlainObject(response.body));
  assert.equal(response.status, 201, stringAt(response.body, "message"));
  return response.body;
}

/** Expected rule in the format of the response. */
function rule(verbs: readonly string[], apiGroup: string, resource: string, ...resourceNames: string[]) {
  const names = resourceNames.length > 0 ? { resourceNames } : {};
  return { verbs, attributeRestrictions: null, apiGroups: [apiGroup], resources: [resource], ...names };
}

async function rulesOf(kind: string, spec: object, user?: Awaited<ReturnType<ApiWorld["user"]>>) {
  return listAt(await post(`${reviews}/${kind}`, { spec }, user), "status", "rules");
}

test("a SubjectRulesReview lists one rule for each resource, ordered as by openshift-apiserver", async () => {
  const body = await post(`${reviews}/subjectrulesreviews`, { spec: { user: "worker", groups: [] } });
  assert.deepEqual(body.spec, { user: "", groups: null, scopes: null });
  assert.equal(body.kind, "SubjectRulesReview");
  assert.deepEqual(body.status, {
    rules: [
      { verbs: ["get"], attributeRestrictions: null, resources: [], nonResourceURLs: ["/metrics"] },
      rule(["get"], "", "configmaps", "a"),
      rule(["get"], "", "configmaps", "b"),
      rule(["get", "list", "watch"], "", "pods"),
      rule(["get", "list"], "", "secrets"),
      rule(["get", "list"], "apps", "pods"),
      rule(["get", "list"], "apps", "secrets"),
    ],
  });
});

test("a rules review reports missing roles", async () => {
  const body = await post(`${reviews}/subjectrulesreviews`, { spec: { user: "broken", groups: [] } });
  assert.deepEqual(body.status, {
    rules: [],
    evaluationError: 'clusterrole.rbac.authorization.k8s.io "absent" not found',
  });
});

test("a rules review with an invalid scope returns only an internal error, as in OpenShift", async () => {
  const statusOf = async (user: string, ...scopes: string[]) =>
    (await post(`${reviews}/subjectrulesreviews`, { spec: { user, groups: [], scopes } })).status;
  assert.deepEqual(await statusOf("worker", "user:full", "typo"), {
    rules: [],
    evaluationError: 'Internal error occurred: no scope evaluator found for "typo"',
  });
  assert.deepEqual(await statusOf("broken", "user:nothing", "other", "role:x"), {
    rules: [],
    evaluationError:
      'Internal error occurred: [unrecognized scope: user:nothing, no scope evaluator found for "other", bad format for scope role:x]',
  });
});

test("a rules review with more than 100 scopes is rejected with 400 and the field", async () => {
  const scopes = Array.from({ length: 101 }, (_, at) => `role:worker-${at}:mine`);
  for (const kind of ["selfsubjectrulesreviews", "subjectrulesreviews"]) {
    const { status, body } = await world.call("POST", `${reviews}/${kind}`, { body: { spec: { scopes } } });
    assert.equal(status, 400);
    assert.equal(stringAt(body, "reason"), "BadRequest");
    const message = "Too many: 101: must have at most 100 items";
    assert.equal(stringAt(body, "message"), `spec.scopes: ${message}`);
    const cause = { reason: "FieldValueTooMany", message, field: "spec.scopes" };
    assert.deepEqual(listAt(body, "details", "causes"), [cause]);
  }
});

test("a SelfSubjectRulesReview lists the caller's rules, also for users with few permissions", async () => {
  const robin = await world.user("robin", ["system:authenticated:oauth"]);
  const rules = await rulesOf("selfsubjectrulesreviews", {}, robin);
  assert.deepEqual(
    rules.filter((each) => listAt(each, "resources").includes("selfsubjectrulesreviews")),
    [
      rule(["create"], "authorization.k8s.io", "selfsubjectrulesreviews"),
      rule(["create"], "authorization.openshift.io", "selfsubjectrulesreviews"),
    ],
  );
  assert.ok(!rules.some((each) => listAt(each, "resources").includes("secrets")));
});

test("scopes of a token restrict the listed rules", async () => {
  const listed = (...scopes: string[]) => rulesOf("subjectrulesreviews", { user: "worker", scopes });
  assert.deepEqual(await listed("user:info"), []);
  assert.equal((await listed("user:full")).length, 7);
  const withoutSecrets = await listed("role:worker:mine");
  assert.deepEqual(
    withoutSecrets.filter((each) => listAt(each, "resources").includes("secrets")),
    [],
  );
  assert.equal((await listed("role:worker:*:!")).length, 7);
  assert.deepEqual(await listed("role:worker:elsewhere"), []);
});

test("only administrators of a namespace review the rules of its users", async () => {
  const body = { spec: { user: "worker", groups: [] } };
  const path = `${reviews}/subjectrulesreviews`;
  await post(path, body, await world.user("admin"));
  const worker = await world.call("POST", path, { body, user: await world.user("worker") });
  assert.equal(worker.status, 403);
});
