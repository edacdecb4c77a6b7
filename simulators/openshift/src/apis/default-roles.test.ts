import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "./testing/api-world.ts";

const rbac = "rbac.authorization.k8s.io";
const reviews = "/apis/authorization.openshift.io/v1";
let world: ApiWorld;

before(async () => {
  world = await ApiWorld.start();
  await post("/api/v1/namespaces", { metadata: { name: "team" } });
  await bind("clusterrolebindings", "cluster-reader", "reader");
  await bind("namespaces/team/rolebindings", "admin", "owner");
  await bind("namespaces/team/rolebindings", "system:openshift:scc:anyuid", "runner");
});
after(() => world?.[Symbol.asyncDispose]());

async function post(path: string, body: object) {
  const response = await world.call("POST", path, { body });
  assert.equal(response.status, 201, stringAt(response.body, "message"));
  return response.body;
}

function bind(path: string, role: string, user: string) {
  return post(`/apis/${rbac}/v1/${path}`, {
    metadata: { name: user },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: rbac, kind: "User", name: user }],
  });
}

/** True if the user may send the request. The review can omit the API group, as the reviews of `oc` do. */
async function allows(user: string, action: object): Promise<boolean> {
  return valueAt(await post(`${reviews}/subjectaccessreviews`, { user, ...action }), "allowed") === true;
}

test("cluster-reader reads cluster-wide resources, but neither reads secrets nor changes objects", async () => {
  const config = { resourceAPIGroup: "config.openshift.io", resource: "clusterversions" };
  await eventually(async () => assert.ok(await allows("reader", { verb: "list", resource: "pods" })));
  assert.ok(await allows("reader", { verb: "list", resource: "nodes" }));
  assert.ok(await allows("reader", { verb: "get", ...config }));
  assert.ok(!(await allows("reader", { verb: "update", ...config })));
  assert.ok(!(await allows("reader", { verb: "get", resource: "secrets" })));
});

test("a review without an API group allows OpenShift's resources (oc adm new-project --admin)", async () => {
  const action = { namespace: "team", resource: "projects" };
  await eventually(async () => assert.ok(await allows("owner", { verb: "get", ...action })));
  assert.ok(!(await allows("owner", { verb: "create", ...action })));
  for (const resource of ["routes", "appliedclusterresourcequotas"])
    assert.ok(await allows("owner", { verb: "get", namespace: "team", resource }));
  const packages = { resourceAPIGroup: "packages.operators.coreos.com", resource: "packagemanifests" };
  assert.ok(await allows("owner", { verb: "list", namespace: "team", ...packages }));
});

test("each kind of security context constraints has a role that permits its use", async () => {
  const use = {
    verb: "use",
    namespace: "team",
    resourceAPIGroup: "security.openshift.io",
    resource: "securitycontextconstraints",
  };
  assert.ok(await allows("runner", { ...use, resourceName: "anyuid" }));
  assert.ok(!(await allows("runner", { ...use, resourceName: "privileged" })));
});

test("pods of the priority class openshift-user-critical are admitted (oc debug node)", async () => {
  const spec = { priorityClassName: "openshift-user-critical", containers: [{ name: "a", image: "a" }] };
  const pod = await post("/api/v1/namespaces/team/pods", { metadata: { name: "debug" }, spec });
  assert.equal(valueAt(pod, "spec", "priority"), 1_000_000_000);
});
