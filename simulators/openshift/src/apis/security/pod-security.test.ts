import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import { ApiWorld } from "../testing/api-world.ts";

const namespace = "tenant";
const container = { name: "c", image: "i" };
const onHost = { containers: [container], volumes: [{ name: "v", hostPath: { path: "/" } }] };
const pods = `/api/v1/namespaces/${namespace}/pods`;
const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;

describe("pods of a tenant who may edit one namespace", () => {
  let world: ApiWorld;
  let token: string;
  before(async () => {
    world = await ApiWorld.start();
    await world.call("POST", "/api/v1/namespaces", { body: { metadata: { name: namespace } } });
    await world.call("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, {
      body: { metadata: { name: "dev" } },
    });
    await bind("edit", "ClusterRole", "edit", "dev");
    const issued = await world.call("POST", `/api/v1/namespaces/${namespace}/serviceaccounts/dev/token`, {
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    });
    token = stringAt(issued.body, "status", "token") ?? "";
  });
  after(() => world?.[Symbol.asyncDispose]());

  const bind = (name: string, kind: string, role: string, account: string) =>
    world.call("POST", `${rbac}/rolebindings`, {
      body: {
        metadata: { name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: role },
        subjects: [{ kind: "ServiceAccount", name: account, namespace }],
      },
    });
  const create = async (name: string, spec: object, by: { token?: string } = { token }) => {
    const body = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec };
    const { status, body: response } = await world.call("POST", pods, { body, ...by });
    return {
      status,
      message: stringAt(response, "message"),
      scc: stringAt(response, "metadata", "annotations", "openshift.io/scc"),
    };
  };

  test("run under restricted-v2, which an annotation of the pod does not change", async () => {
    const plain = await create("plain", { containers: [container] });
    assert.deepEqual([plain.status, plain.scc], [201, "restricted-v2"], plain.message);
    const body = {
      metadata: { name: "claims", annotations: { "openshift.io/scc": "privileged" } },
      spec: { containers: [container] },
    };
    const response = await world.call("POST", pods, { body, token });
    assert.equal(stringAt(response.body, "metadata", "annotations", "openshift.io/scc"), "restricted-v2");
  });

  test("with access to the host are rejected with the reason of each constraint", async () => {
    const { status, message = "" } = await create("host", onHost);
    assert.equal(status, 403);
    assert.match(
      message,
      /^pods "host" is forbidden: unable to validate against any security context constraint: \[/,
    );
    const generated = { metadata: { generateName: "host-" }, spec: onHost };
    const refused = await world.call("POST", pods, { body: generated, token });
    assert.match(stringAt(refused.body, "message") ?? "", /^pods "host-" is forbidden: /);
    assert.match(message, /provider "privileged": Forbidden: not usable by user or serviceaccount/);
    assert.match(message, /provider restricted-v2: spec\.volumes\[0\]: Invalid value: "hostPath"/);
    for (const spec of [
      { hostNetwork: true },
      { containers: [{ ...container, securityContext: { privileged: true } }] },
    ])
      assert.equal((await create("host", { containers: [container], ...spec })).status, 403);
  });

  test("are rejected on nodes of the control plane, by selector and by affinity", async () => {
    const label = "node-role.kubernetes.io/master";
    const affinity = (operator: string) => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: label, operator }] }],
        },
      },
    });
    const statusOf = async (name: string, spec: object) =>
      (await create(name, { containers: [container], ...spec })).status;
    assert.equal(await statusOf("by-selector", { nodeSelector: { [label]: "" } }), 403);
    assert.equal(await statusOf("by-affinity", { affinity: affinity("Exists") }), 403);
    assert.equal(await statusOf("by-no-affinity", { affinity: affinity("DoesNotExist") }), 201);
    const selector = { nodeSelector: { "kubernetes.io/os": "linux" } };
    assert.equal(await statusOf("by-system", selector), 201);
  });

  test("are rejected when a controller creates them for a workload of the tenant", async () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "1", controller: true };
    const pod = (name: string, spec: object) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace, ownerReferences: [owner] },
      spec,
    });
    await assert.rejects(world.client.create(resources.pods, pod("r-1", onHost)), { code: 403 });
    await world.client.create(resources.pods, pod("r-2", { containers: [container] }));
  });

  test("are admitted with a service account that may use constraints, created by anyone", async () => {
    await world.call("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, {
      body: { metadata: { name: "trusted" } },
    });
    await world.call("POST", `${rbac}/roles`, {
      body: {
        metadata: { name: "use-privileged" },
        rules: [
          {
            apiGroups: ["security.openshift.io"],
            resources: ["securitycontextconstraints"],
            resourceNames: ["privileged"],
            verbs: ["use"],
          },
        ],
      },
    });
    await bind("use-privileged", "Role", "use-privileged", "trusted");
    const { status, scc, message } = await create("trusted", { ...onHost, serviceAccountName: "trusted" });
    assert.deepEqual([status, scc], [201, "privileged"], message);
  });

  test("of an administrator run under the constraints of the highest priority that admit them", async () => {
    assert.equal((await create("by-admin", { containers: [container] }, {})).scc, "anyuid");
    assert.equal((await create("on-host", onHost, {})).scc, "hostmount-anyuid");
  });
});
