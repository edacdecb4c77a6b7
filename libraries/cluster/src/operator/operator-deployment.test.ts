import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, defaultOperatorFlags, operatorNamespace, singleton } from "@keelson/aro-api";
import { stringAt, valueAt } from "@keelson/base";
import { apiServers, type TestApiServer } from "@keelson/controller/testing";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { withProperties } from "@keelson/model";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import type { ClusterContext } from "../context/context.ts";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { ensureAROOperator, installAROOperator, syncClusterObject } from "./install-operator.ts";
import { updateClusterOperatorFlags } from "./operator-settings.ts";

const signal = AbortSignal.timeout(900_000);
const kinds = [resources.credentialsRequests, resources.serviceMonitors];
const backup = { namespace: operatorNamespace, name: "cluster" };
const deployment = { namespace: operatorNamespace, name: "aro-operator-master" };

for (const { name, start } of apiServers) {
  describe(`the operator's deployment on ${name}`, () => {
    let server: TestApiServer;
    let kube: KubeClient;
    let context: ClusterContext;

    before(async () => {
      server = await start();
      kube = server.connect({ fieldManager: "aro-rp" });
      const names = kinds.map(({ plural, group }) => `${plural}.${group}`);
      for (const definition of openShiftCrds("Default").filter((each) =>
        names.includes(each.metadata.name ?? ""),
      ))
        await kube.ensure(resources.customResourceDefinitions, definition as unknown as KubeObject, signal);
      const metadata = { name: "openshift-cloud-credential-operator" };
      await kube.create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata }, signal);
      const ingressProfiles = [{ name: "default", visibility: "Public", ip: "192.0.2.2" }] as const;
      const memory = memoryCluster({ ingressProfiles, operatorFlags: { "aro.banner.enabled": "true" } });
      context = Object.defineProperties({ kube: () => kube } as ClusterContext, {
        ...Object.getOwnPropertyDescriptors(memory.context),
        kube: { value: () => kube },
      });
    });

    after(async () => {
      await kube?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    const allObjects = async () => {
      const found: KubeObject[] = [];
      for (const resource of [
        ...[resources.customResourceDefinitions, resources.namespaces, resources.clusterRoles],
        ...[
          resources.clusterRoleBindings,
          resources.configMaps,
          resources.secrets,
          resources.serviceAccounts,
        ],
        ...[resources.services, resources.roles, resources.roleBindings, resources.deployments],
        ...[
          resources.podDisruptionBudgets,
          resources.serviceMonitors,
          resources.credentialsRequests,
          clusters,
        ],
      ])
        found.push(...(await kube.list(resource, {}, signal)).items);
      return new Map(
        found.map(({ kind, metadata }) => [
          `${kind} ${metadata.namespace ?? ""}/${metadata.name}`,
          metadata.resourceVersion,
        ]),
      );
    };

    test("every object is there, and the Cluster owns the backup of the pull secret", async () => {
      await installAROOperator(context);
      const objects = await allObjects();
      for (const each of [
        "CustomResourceDefinition /previewfeatures.preview.aro.openshift.io",
        `Namespace /${operatorNamespace}`,
        "CredentialsRequest openshift-cloud-credential-operator/openshift-azure-operator",
        "ClusterRoleBinding /aro-operator-master",
        "ClusterRole /aro-operator-worker",
        ...["Deployment", "ServiceAccount", "PodDisruptionBudget"].flatMap((kind) =>
          ["master", "worker"].map((role) => `${kind} ${operatorNamespace}/aro-operator-${role}`),
        ),
        `Service ${operatorNamespace}/aro-operator-master`,
        `ServiceMonitor ${operatorNamespace}/aro-operator-master`,
        `RoleBinding ${operatorNamespace}/prometheus-k8s`,
        `Secret ${operatorNamespace}/cluster`,
        "Cluster /cluster",
      ])
        assert.ok(objects.has(each), each);
      const cluster = await kube.get(clusters, singleton, signal);
      const { metadata } = await kube.get(resources.secrets, backup, signal);
      assert.deepEqual(metadata.ownerReferences, [
        {
          apiVersion: "aro.openshift.io/v1alpha1",
          kind: "Cluster",
          name: "cluster",
          uid: cluster.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
    });

    test("doing it all once more writes nothing", async () => {
      const before = await allObjects();
      await ensureAROOperator(context);
      await syncClusterObject(context);
      await updateClusterOperatorFlags(context);
      const after = await allObjects();
      assert.deepEqual(
        [...after].filter(([object, version]) => before.get(object) !== version),
        [],
      );
    });

    test("an update gives back what is gone, with the backup's owner, and keeps what is others'", async () => {
      await kube.delete(resources.secrets, backup, signal);
      await kube.delete(resources.services, deployment, signal);
      const labels = { "example.com/owner": "someone" };
      await kube.mergePatch(resources.deployments, deployment, { metadata: { labels } }, signal);
      await ensureAROOperator(context);
      const { metadata } = await kube.get(resources.secrets, backup, signal);
      assert.equal(metadata.ownerReferences?.[0]?.kind, "Cluster");
      await kube.get(resources.services, deployment, signal);
      const live = await kube.get(resources.deployments, deployment, signal);
      assert.equal(live.metadata.labels?.["example.com/owner"], "someone");
    });

    test("a sync keeps the banner and annotations, and removes flags that the document does not have", async () => {
      const annotations = { "aro.openshift.io/lastSubnetReconcileTimestamp": "now" };
      const spec = {
        banner: { content: "ContactSupport" },
        operatorflags: { "aro.left.over": "true", "aro.banner.enabled": "false" },
        gatewayDomains: ["earlier.example"],
        infraId: "drifted",
      };
      await kube.mergePatch(clusters, singleton, { metadata: { annotations }, spec }, signal);
      await syncClusterObject(context);
      const synced = await kube.get(clusters, singleton, signal);
      assert.deepEqual(synced.metadata.annotations, annotations);
      assert.equal(synced.spec?.banner?.content, "ContactSupport");
      assert.deepEqual(synced.spec?.operatorflags, {
        "aro.environment": "test",
        "aro.banner.enabled": "true",
      });
      assert.deepEqual(synced.spec?.gatewayDomains, []);
      assert.equal(synced.spec?.infraId, "demo-x1x2x");
    });

    test("a master that an earlier release made cluster-admin is so no more", async () => {
      const { name } = deployment;
      const { metadata: _, ...binding } = await kube.get(resources.clusterRoleBindings, { name }, signal);
      await kube.delete(resources.clusterRoleBindings, { name }, signal);
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
      await kube.create(resources.clusterRoleBindings, { ...binding, metadata: { name }, roleRef }, signal);
      await ensureAROOperator(context);
      const live = await kube.get(resources.clusterRoleBindings, { name }, signal);
      assert.equal(stringAt(live, "roleRef", "name"), name);
    });

    test("acceptance 27: flags that were reset to their defaults, and one more, are those in the cluster", async () => {
      const operatorFlags = { ...defaultOperatorFlags, "aro.banner.enabled": "true" };
      await context.update((cluster) => withProperties(cluster, { operatorFlags }));
      await syncClusterObject(context);
      const { spec } = await kube.get(clusters, singleton, signal);
      assert.deepEqual(spec?.operatorflags, { "aro.environment": "test", ...operatorFlags });
    });

    test("acceptance 28: an update changes the Deployments' version and leaves the Cluster to the sync after it", async () => {
      await context.update((cluster) =>
        withProperties(cluster, { operatorVersion: "v2", operatorFlags: { "aro.banner.enabled": "false" } }),
      );
      await ensureAROOperator(context);
      for (const role of ["master", "worker"]) {
        const key = { namespace: operatorNamespace, name: `aro-operator-${role}` };
        const { metadata } = await kube.get(resources.deployments, key, signal);
        assert.equal(metadata.labels?.version, "v2");
      }
      const flag = async () => {
        const { spec } = await kube.get(clusters, singleton, signal);
        return spec?.operatorflags?.["aro.banner.enabled"];
      };
      assert.equal(await flag(), "true");
      await syncClusterObject(context);
      assert.equal(await flag(), "false");
      const live = await kube.get(resources.deployments, deployment, signal);
      const containers = valueAt(live, "spec", "template", "spec", "containers");
      assert.ok(Array.isArray(containers));
      assert.equal(stringAt(containers[0], "image"), "arosvc.example/keelson:v2");
    });
  });
}
