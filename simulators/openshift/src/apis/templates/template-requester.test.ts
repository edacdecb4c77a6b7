import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../testing/api-world.ts";

const rbac = "rbac.authorization.k8s.io";
const instances = "/apis/template.openshift.io/v1/namespaces/tenant/templateinstances";
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "made" } };
const binding = {
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRoleBinding",
  metadata: { name: "escalation" },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
  subjects: [{ apiGroup: rbac, kind: "User", name: "alice" }],
};
const onHost = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "host" },
  spec: { containers: [{ name: "c", image: "i" }], volumes: [{ name: "v", hostPath: { path: "/" } }] },
};

test("objects of a TemplateInstance are created with the rights of its requester", async () => {
  await using world = await ApiWorld.start();
  const alice = await world.user("alice", ["system:authenticated:oauth"]);
  await world.call("POST", "/apis/project.openshift.io/v1/projectrequests", {
    body: { apiVersion: "project.openshift.io/v1", kind: "ProjectRequest", metadata: { name: "tenant" } },
    user: alice,
  });
  const instance = (name: string, objects: readonly object[]) => ({
    apiVersion: "template.openshift.io/v1",
    kind: "TemplateInstance",
    metadata: { name },
    spec: {
      requester: { username: "system:admin", groups: ["system:masters"] },
      template: { metadata: { name: "t" }, objects },
    },
  });
  for (const [name, object] of Object.entries({ allowed: configMap, binding, pod: onHost })) {
    const { status, body } = await world.call("POST", instances, {
      body: instance(name, [object]),
      user: alice,
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(stringAt(body, "spec", "requester", "username"), "alice");
    assert.ok(!listAt(body, "spec", "requester", "groups").includes("system:masters"));
  }
  const condition = async (name: string) => {
    const { body } = await world.call("GET", `${instances}/${name}`);
    return listAt(body, "status", "conditions")[0];
  };
  await eventually(async () => {
    assert.equal(stringAt(await condition("allowed"), "type"), "Ready");
    for (const name of ["binding", "pod"])
      assert.equal(stringAt(await condition(name), "type"), "InstantiateFailure");
  });
  assert.match(stringAt(await condition("binding"), "message") ?? "", /"alice" cannot create resource/);
  assert.match(stringAt(await condition("pod"), "message") ?? "", /security context constraint/);
  assert.equal((await world.call("GET", `/apis/${rbac}/v1/clusterrolebindings/escalation`)).status, 404);
});

test("the specification of a TemplateInstance is immutable", async () => {
  await using world = await ApiWorld.start();
  const path = instances.replace("tenant", "default");
  const spec = { template: { metadata: { name: "t" }, objects: [configMap] } };
  const body = {
    apiVersion: "template.openshift.io/v1",
    kind: "TemplateInstance",
    metadata: { name: "a" },
    spec,
  };
  await world.call("POST", path, { body });
  for (const change of [{ requester: { username: "other" } }, { template: { objects: [binding] } }]) {
    const { status, body: response } = await world.call("PATCH", `${path}/a`, {
      body: { spec: change },
      contentType: "application/merge-patch+json",
    });
    assert.equal(status, 422, JSON.stringify(response));
    assert.match(stringAt(response, "message") ?? "", /spec: Forbidden: field is immutable/);
  }
});
