import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  condition,
  type ImpersonatedRequest,
  provesRepair,
  putClusterHistory,
  requestAs,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { guardrails } from "./controller.ts";

const {
  clusterRoleBindings,
  clusterVersions,
  machineConfigs,
  machines,
  mutatingWebhookConfigurations,
  namespaces,
  nodes,
  validatingAdmissionPolicies: policies,
  validatingAdmissionPolicyBindings: bindings,
  validatingWebhookConfigurations,
} = resources;
const mandatory = "aro-cluster-version-major-upgrade-deny";
const refusal = /Upgrading from OpenShift 4 to OpenShift 5 is not allowed$/;
const optional = [
  "aro-machine-config-deny",
  "aro-machines-deny",
  "aro-nodes-deny",
  "aro-privileged-namespace-deny",
];

for (const { name, start } of testServers) {
  describe(`guardrails on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const flags = (operatorflags: Readonly<Record<string, string | null>>) =>
      cluster.configure({ operatorflags } as never);
    const present = async (resource: typeof policies) =>
      (await cluster.api.list(resource, {}, cluster.signal)).items
        .map(({ metadata }) => metadata.name)
        .filter((each) => each.startsWith("aro-"))
        .toSorted();
    const inForce = (...names: readonly string[]) =>
      cluster.eventually(async () => {
        assert.deepEqual(await present(policies), [...names].toSorted());
        assert.deepEqual(await present(bindings), names.map((each) => `${each}-binding`).toSorted());
      });
    const actions = async (policy: string) =>
      valueAt(
        await cluster.api.get(bindings, { name: `${policy}-binding` }, cluster.signal),
        "spec",
        "validationActions",
      );
    const upgrade = (spec: Readonly<Record<string, unknown>>) =>
      requestAs(cluster.kubeconfig, {
        method: "PATCH",
        path: "/apis/config.openshift.io/v1/clusterversions/version?dryRun=All",
        body: { spec },
        user: "system:admin",
        groups: ["system:masters"],
      });
    const refused = (spec: Readonly<Record<string, unknown>>) =>
      cluster.eventually(async () => assert.match((await upgrade(spec)).message, refusal));
    const statusIs = (status: string, reason: string) =>
      cluster.eventually(async () => {
        const found = await condition(cluster, "GuardRailsStatus");
        assert.deepEqual([found.status, found.reason], [status, reason]);
      });

    before(async () => {
      cluster = await start({ kinds: [clusterVersions, machineConfigs, machines] });
      await putClusterHistory(cluster, { version: "4.16.40", state: "Completed" });
      operator = await cluster.start({ controllers: [guardrails] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("a release without admission policies has none", async () => {
      await statusIs("Unknown", "NotSupported");
      await inForce();
    });

    test("acceptance 21: no upgrade to OpenShift 5, even with guardrails disabled", async () => {
      await flags({ "aro.guardrails.enabled": "false" });
      await cluster.put(policies, {
        metadata: { name: "aro-cluster-version-major-upgrade-protection" },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ["example.com"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] },
            ],
          },
          validations: [{ expression: "true" }],
        },
      });
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
      await inForce(mandatory);
      await statusIs("Unknown", "Disabled");
      await refused({ desiredUpdate: { version: "5.0.0" } });
      await refused({ channel: "stable-5.0" });
      await refused({ channel: "stable-5" });
      const image = `quay.io/openshift-release-dev/ocp-release@sha256:${"a".repeat(64)}`;
      await refused({ desiredUpdate: { image } });
      for (const spec of [
        { channel: "stable-4.20", desiredUpdate: { version: "4.20.0" } },
        { channel: "stable-4.5", desiredUpdate: { version: "4.20.0", image } },
      ])
        assert.equal((await upgrade(spec)).status, 200);
    });

    test("acceptance 21: the policy and its binding are restored after deletion and edits", async () => {
      await provesRepair(cluster, operator, {
        resource: policies,
        key: { name: mandatory },
        edit: { spec: { matchConstraints: { objectSelector: { matchLabels: { a: "b" } } } } },
      });
      await provesRepair(cluster, operator, {
        resource: bindings,
        key: { name: `${mandatory}-binding` },
        edit: { spec: { validationActions: ["Audit"] } },
      });
      await refused({ desiredUpdate: { version: "5.0.0" } });
    });

    test("an added match condition that disables the policy is removed", async () => {
      const never = { name: "never", expression: "false" };
      const key = { name: mandatory };
      const spec = async () => (await cluster.api.get(policies, key, cluster.signal)).spec;
      const before = await spec();
      await cluster.api.mergePatch(policies, key, { spec: { matchConditions: [never] } }, cluster.signal);
      await cluster.eventually(async () => assert.deepEqual(await spec(), before));
    });

    test("an action added by a different field manager is removed", async () => {
      const key = { name: `${mandatory}-binding` };
      const object = {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicyBinding",
        metadata: key,
        spec: { policyName: mandatory, validationActions: ["Audit"] },
      };
      await cluster.api.apply(bindings, object, cluster.signal);
      await cluster.eventually(async () => assert.deepEqual(await actions(mandatory), ["Deny"]));
    });

    test("acceptance 22: flags control existence and enforcement of policies", async () => {
      await flags({ "aro.guardrails.enabled": "true" });
      await inForce(mandatory, ...optional);
      await statusIs("True", "PoliciesInForce");
      assert.deepEqual(await actions("aro-machines-deny"), ["Deny"]);
      assert.deepEqual(await actions("aro-machine-config-deny"), ["Audit"]);
      await flags({ "aro.guardrails.policies.aro-machines-deny.managed": "false" });
      await inForce(mandatory, ...optional.filter((each) => each !== "aro-machines-deny"));
      await flags({ "aro.guardrails.policies.aro-machines-deny.managed": "true" });
      await inForce(mandatory, ...optional);
      await flags({ "aro.guardrails.policies.aro-machines-deny.enforcement": "dryrun" });
      await cluster.eventually(async () => assert.deepEqual(await actions("aro-machines-deny"), ["Audit"]));
    });

    test("an undecided flag changes nothing, unmanaged objects are removed", async () => {
      await flags({ "aro.guardrails.deploy.managed": "" });
      await cluster.api.delete(bindings, { name: "aro-nodes-deny-binding" }, cluster.signal);
      await statusIs("Unknown", "NotManaged");
      await operator.quiet();
      assert.equal((await present(policies)).length, 5);
      assert.equal((await present(bindings)).length, 4);
      await flags({ "aro.guardrails.deploy.managed": "false" });
      await inForce(mandatory);
    });

    describe("acceptance 23", () => {
      const gatekeeper = { name: "openshift-azure-guardrails" };
      const webhook = (namespace: string) => ({
        name: "validation.gatekeeper.sh",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Ignore",
        clientConfig: { service: { namespace, name: "gatekeeper-webhook-service", path: "/v1/admit" } },
        rules: [{ apiGroups: ["example.com"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] }],
      });
      const putGatekeeper = async (namespace: string) => {
        await cluster.put(namespaces, { metadata: gatekeeper });
        await cluster.put(validatingWebhookConfigurations, {
          metadata: { name: "gatekeeper-validating-webhook-configuration" },
          webhooks: [webhook(namespace)],
        });
        await cluster.put(mutatingWebhookConfigurations, {
          metadata: { name: "gatekeeper-mutating-webhook-configuration" },
          webhooks: [{ ...webhook(namespace), name: "mutation.gatekeeper.sh" }],
        });
        await cluster.put(clusterRoleBindings, {
          metadata: { name: "gatekeeper-manager-rolebinding" },
          roleRef: {
            apiGroup: "rbac.authorization.k8s.io",
            kind: "ClusterRole",
            name: "gatekeeper-manager-role",
          },
          subjects: [{ kind: "ServiceAccount", name: "gatekeeper-admin", namespace }],
        });
      };
      const left = async () => {
        const found = await Promise.all([
          cluster.api.find(
            validatingWebhookConfigurations,
            { name: "gatekeeper-validating-webhook-configuration" },
            cluster.signal,
          ),
          cluster.api.find(
            mutatingWebhookConfigurations,
            { name: "gatekeeper-mutating-webhook-configuration" },
            cluster.signal,
          ),
          cluster.api.find(clusterRoleBindings, { name: "gatekeeper-manager-rolebinding" }, cluster.signal),
        ]);
        const namespace = await cluster.api.find(namespaces, gatekeeper, cluster.signal);
        const isThere = namespace !== undefined && namespace.metadata.deletionTimestamp === undefined;
        return [...found.map((each) => each !== undefined), isThere];
      };

      test("without a method Gatekeeper is kept and policies are not enforced", async () => {
        await flags({ "aro.guardrails.deploy.managed": "true", "aro.guardrails.method": null });
        await statusIs("False", "GatekeeperMissing");
        await putGatekeeper(gatekeeper.name);
        await statusIs("Unknown", "Gatekeeper");
        await operator.quiet();
        assert.deepEqual(await left(), [true, true, true, true]);
        await inForce(mandatory);
      });

      test("with the method auto admission policies replace Gatekeeper", async () => {
        await flags({ "aro.guardrails.method": "auto" });
        await inForce(mandatory, ...optional);
        await cluster.eventually(async () => assert.deepEqual(await left(), [false, false, false, false]));
      });

      // The kube-apiserver of the test runs without controllers, so it does not finish the deletion of a namespace.
      const skip = name === "embedded" ? false : "namespaces are not deleted";
      test("the objects of a customer's Gatekeeper are preserved", { skip }, async () => {
        await flags({ "aro.guardrails.method": "gatekeeper" });
        await inForce(mandatory);
        await putGatekeeper("customers-own");
        await flags({ "aro.guardrails.method": "vap" });
        await inForce(mandatory, ...optional);
        await cluster.eventually(async () => assert.deepEqual(await left(), [true, true, true, false]));
      });

      test("the method vap is auto", async () => {
        await flags({ "aro.guardrails.method": "VAP" });
        await inForce(mandatory, ...optional);
      });
    });

    describe("who may do what", () => {
      const alice = { user: "alice", groups: ["testers"] };
      const group = (each: string) => ({ user: "alice", groups: ["testers", each] });
      const core = "/api/v1";
      const configs = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";
      const create = (path: string, apiVersion: string, kind: string, name: string) =>
        ({
          method: "POST",
          path: `${path}?dryRun=All`,
          body: { apiVersion, kind, metadata: { name }, ...(kind === "MachineConfig" ? { spec: {} } : {}) },
        }) as const;
      const config = (each: string) =>
        create(configs, "machineconfiguration.openshift.io/v1", "MachineConfig", each);
      const account = (namespace: string) =>
        create(`${core}/namespaces/${namespace}/serviceaccounts`, "v1", "ServiceAccount", "one");
      const remove = (path: string) => ({ method: "DELETE", path: `${path}?dryRun=All` }) as const;
      const machine = (each: string) =>
        remove(`/apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api/machines/${each}`);
      const machineRole = "machine.openshift.io/cluster-api-machine-role";

      before(async () => {
        await flags(
          Object.fromEntries(optional.map((each) => [`aro.guardrails.policies.${each}.enforcement`, "deny"])),
        );
        await cluster.put(clusterRoleBindings, {
          metadata: { name: "testers" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "testers" }],
        });
        await cluster.put(namespaces, { metadata: { name: "openshift-config" } });
        for (const each of ["master", "worker"]) {
          await cluster.put(nodes, {
            metadata: { name: each, labels: { [`node-role.kubernetes.io/${each}`]: "" } },
          });
          await cluster.put(machines, {
            metadata: { name: each, namespace: "openshift-machine-api", labels: { [machineRole]: each } },
            spec: {},
          });
        }
        await cluster.eventually(async () => {
          for (const each of optional) assert.deepEqual(await actions(each), ["Deny"]);
          for (const each of [machine("master"), remove(`${core}/nodes/master`), config("99-worker-ssh")])
            assert.notEqual((await requestAs(cluster.kubeconfig, { ...each, ...alice })).status, 200);
        });
      });

      for (const [what, request, message] of [
        [
          "deletes a master's machine",
          { ...machine("master"), ...alice },
          `user <alice> not allowed to delete resource with label <${machineRole}: master>`,
        ],
        ["deletes a worker's machine", { ...machine("worker"), ...alice }, undefined],
        [
          "deletes a master",
          { ...remove(`${core}/nodes/master`), ...alice },
          "user <alice> not allowed to delete resource with label <node-role.kubernetes.io/master>",
        ],
        ["deletes a worker", { ...remove(`${core}/nodes/worker`), ...alice }, undefined],
        [
          "creates a MachineConfig of the service",
          { ...config("99-worker-aro-dns"), ...alice },
          "user alice not allowed to CREATE machine config 99-worker-aro-dns",
        ],
        [
          "creates a rendered MachineConfig",
          { ...config("rendered-master-1"), ...alice },
          "user alice not allowed to CREATE machine config rendered-master-1",
        ],
        ["creates a custom MachineConfig", { ...config("99-worker-custom"), ...alice }, undefined],
        [
          "creates something in a namespace of the platform",
          { ...account("kube-system"), ...alice },
          "user alice not allowed to CREATE one in namespace kube-system",
        ],
        ["creates something in openshift-config", { ...account("openshift-config"), ...alice }, undefined],
        [
          "creates a namespace of the platform",
          { ...create(`${core}/namespaces`, "v1", "Namespace", "openshift-etcd"), ...alice },
          "user alice not allowed to CREATE namespace openshift-etcd",
        ],
        [
          "deletes a namespace of the platform",
          { ...remove(`${core}/namespaces/openshift-machine-api`), ...alice },
          "user alice not allowed to DELETE namespace openshift-machine-api",
        ],
        [
          "is the service",
          { ...machine("master"), user: "system:aro-service", groups: ["testers"] },
          undefined,
        ],
        ["is an administrator", { ...account("kube-system"), ...group("system:masters") }, undefined],
        [
          "is a service account",
          { ...account("kube-system"), ...group("system:serviceaccounts:a") },
          undefined,
        ],
        [
          "is in a group that only sounds like one of nodes",
          { ...account("kube-system"), ...group("my-system:nodes") },
          "user alice not allowed to CREATE one in namespace kube-system",
        ],
        [
          "is kube:admin",
          { ...account("kube-system"), user: "kube:admin", groups: ["testers"] },
          "user kube:admin not allowed to CREATE one in namespace kube-system",
        ],
      ] as const satisfies readonly (readonly [string, ImpersonatedRequest, string | undefined])[])
        test(`who ${what} is ${message ? "refused" : "not"}`, async () => {
          const response = await requestAs(cluster.kubeconfig, request);
          if (message) assert.ok(response.message.endsWith(`denied request: ${message}`), response.message);
          else assert.ok([200, 201].includes(response.status), JSON.stringify(response));
        });
    });
  });
}
