import assert from "node:assert/strict";
import { test } from "node:test";
import { type AroCluster, manifest } from "@keelson/aro-api";
import { type KubeResource, resources } from "@keelson/kube";
import type { ManagedObjects, WantedObject } from "@keelson/operator-kit";
import { applyBundle, bundlePermissions, removeBundle } from "./bundle.ts";

const namespace = "example";
const cluster: AroCluster = {
  apiVersion: "aro.openshift.io/v1alpha1",
  kind: "Cluster",
  metadata: { name: "cluster", uid: "1" },
};
const bundle = [
  manifest(resources.deployments, { namespace, name: "a" }),
  manifest(resources.namespaces, { name: namespace }),
  manifest(resources.roles, { namespace, name: "a" }),
  manifest(resources.clusterRoles, { name: "a" }),
  manifest(resources.roles, { namespace: "default", name: "b" }),
];

/** Records the kinds of applied and removed objects. All requests for objects of kind `failing` fail. */
function recorder(failing?: KubeResource) {
  const kinds: string[] = [];
  const owners = new Set<string | undefined>();
  const act = async (resource: KubeResource) => {
    kinds.push(resource.kind);
    if (resource === failing) throw new Error("refused");
  };
  const objects = {
    remove: act,
    async ensure(resource: KubeResource, { metadata }: WantedObject) {
      owners.add(metadata.ownerReferences?.find(({ controller }) => controller)?.uid);
      await act(resource);
    },
  } as unknown as ManagedObjects;
  return { kinds, owners, objects };
}

test("a bundle is maintained in creation order, owned by the Cluster", async () => {
  const { kinds, owners, objects } = recorder();
  await applyBundle({ cluster, objects }, bundle);
  assert.deepEqual(kinds, ["ClusterRole", "Namespace", "Deployment", "Role", "Role"]);
  assert.deepEqual([...owners], ["1"]);
});

test("an object that fails is named and does not block other repairs", async () => {
  const { kinds, objects } = recorder(resources.clusterRoles);
  await assert.rejects(applyBundle({ cluster, objects }, bundle), { message: "ClusterRole a: refused" });
  assert.equal(kinds.length, bundle.length);
});

test("namespaces are removed last, and only after all other objects", async () => {
  const all = recorder();
  await removeBundle(all.objects, bundle);
  assert.deepEqual(all.kinds, ["Deployment", "Role", "ClusterRole", "Role", "Namespace"]);
  const some = recorder(resources.roles);
  await assert.rejects(removeBundle(some.objects, bundle), {
    message: "error removing resource:\nRole a: refused\nRole b: refused",
  });
  assert.equal(some.kinds.includes("Namespace"), false);
});

test("the permissions name each object and allow granting roles beyond the operator's own rights", () => {
  const roles = bundlePermissions(bundle).find(({ resources }) => resources?.[0] === "roles");
  assert.deepEqual(roles, {
    apiGroups: ["rbac.authorization.k8s.io"],
    resources: ["roles"],
    resourceNames: ["a", "b"],
    verbs: ["get", "list", "watch", "create", "patch", "delete", "escalate", "bind"],
  });
});
