import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, singleton } from "@keelson/aro-api";
import { valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import {
  condition,
  type DriftCase,
  exampleSpec,
  provesRepair,
  putClusterHistory,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { muoBundle, muoImage } from "./bundle.ts";
import { managedUpgradeOperator } from "./controller.ts";
import { readiness } from "./readiness.ts";

const name = "managed-upgrade-operator";
const namespace = "openshift-managed-upgrade-operator";
const key = { name, namespace };
const { clusterVersions, configMaps, deployments, namespaces, prometheusRules, roles } = resources;
const bundle = muoBundle({ image: "", supportsPodSecurity: true });

test("the image is the flag's, or that of the service's registry", () => {
  const flag = "rh.srep.muo.deploy.pullspec";
  assert.equal(
    muoImage({ acrDomain: "a.example" }),
    "a.example/app-sre/managed-upgrade-operator:v0.1.1445-g512fbce",
  );
  assert.equal(
    muoImage({ acrDomain: "a.example", operatorflags: { [flag]: "" } }),
    muoImage({ acrDomain: "a.example" }),
  );
  assert.equal(muoImage({ operatorflags: { [flag]: "b.example/muo:1" } }), "b.example/muo:1");
  assert.throws(() => muoImage({}), /^Error: invalid cluster spec field "acrDomain": empty$/);
});

test("pods have a security context from OpenShift 4.11", () => {
  const context = (supportsPodSecurity: boolean) =>
    muoBundle({ image: "a", supportsPodSecurity })
      .filter(({ resource }) => resource === deployments)
      .map(({ object }) => valueAt(object, "spec", "template", "spec", "securityContext", "runAsNonRoot"));
  assert.deepEqual([context(true), context(false)], [[true], [undefined]]);
});

const now = new Date("2026-01-01T01:00:00Z");
const running: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { ...key, generation: 2 },
  spec: { replicas: 1 },
  status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
};
const cases: readonly (readonly [string, KubeObject | undefined, string | undefined, object])[] = [
  ["ready", running, undefined, { status: "True", reason: "Deployed", message: "The deployment is ready" }],
  ["no longer unready", running, "00:10", { status: "True" }],
  ["absent", undefined, undefined, { message: "there is no deployment", deadlineInMs: 300_000 }],
  [
    "of an older generation",
    { ...running, status: { observedGeneration: 1 } },
    undefined,
    { status: "False", reason: "DeploymentNotReady", message: "the deployment has not been taken up yet" },
  ],
  [
    "without a pod",
    { ...running, status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1 } },
    "00:58",
    { message: "0 of 1 pods are available", deadlineInMs: 180_000 },
  ],
  [
    "without a pod for too long",
    { ...running, status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1 } },
    "00:55",
    {
      reason: "DeploymentTimedOut",
      message: "managed Upgrade Operator deployment timed out on Ready: 0 of 1 pods are available",
      failure: "managed Upgrade Operator deployment timed out on Ready: 0 of 1 pods are available",
    },
  ],
  ["with a malformed status", { ...running, status: "?" }, undefined, { status: "False" }],
];
for (const [what, deployment, since, expected] of cases)
  test(`a deployment ${what}`, () => {
    const before = {
      type: "ManagedUpgradeOperatorStatus",
      status: "False",
      lastTransitionTime: `2026-01-01T${since}:00Z`,
    };
    const cluster = {
      apiVersion: "",
      kind: "",
      metadata: singleton,
      status: { conditions: since ? [before] : [] },
    } as Parameters<typeof readiness>[1];
    const { condition, ...result } = readiness(deployment, cluster, now);
    assert.deepEqual({ ...condition, ...result, ...expected }, { ...condition, ...result });
  });

for (const { name: server, start } of testServers) {
  describe(`the managed upgrade operator on ${server}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const found = ({ resource, object: { metadata } }: (typeof bundle)[number]) =>
      cluster.api.find(resource, metadata, cluster.signal);
    const status = async () => condition(cluster, "ManagedUpgradeOperatorStatus");
    before(async () => {
      cluster = await start({ kinds: [clusterVersions, prometheusRules] });
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
      for (const each of ["openshift-monitoring", "openshift-config"])
        await cluster.put(namespaces, { metadata: { name: each } });
      operator = await cluster.start({ controllers: [managedUpgradeOperator] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("is deployed, all of it owned by the Cluster", async () => {
      const { metadata: owner } = await cluster.api.get(clusters, singleton, cluster.signal);
      await cluster.eventually(async () => {
        for (const each of bundle)
          assert.equal(
            (await found(each))?.metadata.ownerReferences?.find(({ controller }) => controller)?.uid,
            owner.uid,
            each.object.metadata.name,
          );
      });
      const deployment = await cluster.api.get(deployments, key, cluster.signal);
      const checksums = valueAt(deployment, "spec", "template", "metadata", "annotations");
      assert.deepEqual(Object.keys(checksums ?? {}), ["checksum/configmap-trusted-ca-bundle"]);
    });

    test("a deployment that is not ready sets False, a ready pod sets True", async () => {
      await cluster.eventually(async () => assert.equal((await status()).reason, "DeploymentNotReady"));
      const { metadata } = await cluster.api.get(deployments, key, cluster.signal);
      const patch = {
        status: {
          observedGeneration: metadata.generation,
          replicas: 1,
          updatedReplicas: 1,
          readyReplicas: 1,
          availableReplicas: 1,
        },
      };
      await cluster.api.mergePatch(deployments, key, patch, cluster.signal, "status");
      await cluster.eventually(async () => assert.equal((await status()).status, "True"));
      assert.equal((await condition(cluster, "ManagedUpgradeOperatorControllerDegraded")).status, "False");
    });

    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "someone" }];
    const drift: readonly DriftCase[] = [
      { resource: deployments, key, edit: { spec: { replicas: 0 } } },
      {
        resource: configMaps,
        key: { namespace, name: `${name}-config` },
        edit: { data: { "config.yaml": "configManager: {source: OCM}" } },
      },
      {
        resource: roles,
        key: { namespace: "openshift-config", name: "muo-pullsecret-reader" },
        edit: { rules: [] },
      },
      {
        resource: resources.roleBindings,
        key: { namespace: "openshift-monitoring", name: "muo-monitoring-reader" },
        edit: { subjects },
      },
      { resource: resources.clusterRoles, key: { name }, edit: { rules: [] } },
      { resource: resources.clusterRoleBindings, key: { name }, edit: { subjects } },
      {
        resource: prometheusRules,
        key: { namespace: "openshift-monitoring", name: "sre-managed-upgrade-operator-alerts" },
        edit: { spec: { groups: [] } },
      },
      {
        resource: resources.customResourceDefinitions,
        key: { name: "upgradeconfigs.upgrade.managed.openshift.io" },
        edit: { spec: { names: { shortNames: ["up"] } } },
        recreated: false,
      },
      {
        resource: namespaces,
        key: { name: namespace },
        edit: { metadata: { labels: { "openshift.io/cluster-monitoring": "false" } } },
        // A deleted namespace remains in the terminating phase, because the test server has no controller that finalizes it.
        recreated: false,
      },
    ];
    // The test repairs one object of each kind, because metrics are counted by kind.
    test("each kind of its objects is repaired", async () => {
      await Promise.all(drift.map((each) => provesRepair(cluster, operator, each)));
    });

    test("deleted objects are recreated", async () => {
      // Namespaces are excluded. A deleted namespace remains in the terminating phase, because the test server has no controller
      // that finalizes it.
      const members = bundle.filter(({ resource }) => resource !== namespaces);
      const before = await Promise.all(members.map(found));
      for (const { resource, object } of members)
        await cluster.api.delete(resource, object.metadata, cluster.signal);
      await cluster.eventually(async () => {
        for (const [index, each] of members.entries()) {
          const live = await found(each);
          assert.ok(live && live.metadata.uid !== before[index]?.metadata.uid, each.object.metadata.name);
        }
      });
    });

    test("a deployment that is unready for too long is Degraded", async () => {
      await cluster.eventually(async () => assert.equal((await status()).status, "False"));
      const live = await cluster.api.get(clusters, singleton, cluster.signal);
      const conditions = (live.status?.conditions ?? []).map((each) =>
        each.type === "ManagedUpgradeOperatorStatus"
          ? { ...each, lastTransitionTime: "2026-01-01T00:00:00Z" }
          : each,
      );
      await cluster.api.mergePatch(clusters, singleton, { status: { conditions } }, cluster.signal, "status");
      await cluster.configure({ operatorflags: { "rh.srep.muo.deploy.pullspec": "b.example/muo:1" } });
      const message = /^managed Upgrade Operator deployment timed out on Ready: /;
      await cluster.eventually(async () => {
        const degraded = await condition(cluster, "ManagedUpgradeOperatorControllerDegraded");
        assert.equal(degraded.status, "True");
        assert.match(degraded.message, message);
      });
      assert.equal((await status()).reason, "DeploymentTimedOut");
      const deployment = await cluster.api.get(deployments, key, cluster.signal);
      assert.deepEqual(
        (valueAt(deployment, "spec", "template", "spec", "containers") as { image: string }[])[0]?.image,
        "b.example/muo:1",
      );
    });

    test("an undecided flag changes nothing", async () => {
      await cluster.configure({ operatorflags: { "rh.srep.muo.managed": "" } });
      await cluster.eventually(async () => assert.equal((await status()).reason, "NotManaged"));
      await cluster.api.mergePatch(deployments, key, { spec: { replicas: 0 } }, cluster.signal);
      await operator.quiet();
      assert.equal(valueAt(await cluster.api.get(deployments, key, cluster.signal), "spec", "replicas"), 0);
    });

    test("is removed when it is not managed, its namespace last", async () => {
      await cluster.configure({ operatorflags: { "rh.srep.muo.managed": "false" } });
      await cluster.eventually(async () => assert.equal((await status()).reason, "Removed"));
      // kube-apiserver finishes the deletion of a CustomResourceDefinition after its objects are deleted. The deletion of a
      // namespace waits for controllers.
      await cluster.eventually(async () => {
        for (const each of bundle) {
          const left = await found(each);
          assert.ok(
            each.resource === namespaces ? !left || left.metadata.deletionTimestamp : !left,
            each.object.metadata.name,
          );
        }
      });
      await operator.quiet();
      const before = await operator.writes();
      await cluster.configure({ location: `${exampleSpec.location}2` });
      await operator.quiet();
      assert.equal(await operator.writes(), before, "what is gone is not deleted again");
    });
  });
}
