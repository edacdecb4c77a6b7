import { resources } from "@keelson/kube";
import type { KitCluster } from "@keelson/operator-kit/testing";
import { namespaces } from "../config/namespaces.ts";
import { type KubeApiserverRelease, manifests } from "../manifests.ts";

/** User name of the operator in a cluster. */
export const operatorAccount = `system:serviceaccount:${namespaces.operator}:kube-apiserver-operator`;

/** Creates the roles that a release defines for the operator, and binds them to the operator's account. */
export async function grantRights(
  { put }: Pick<KitCluster, "put">,
  versions: Pick<KubeApiserverRelease, "version" | "kubernetesVersion">,
): Promise<void> {
  const { clusterRoles, clusterRoleBindings, roles, roleBindings } = resources;
  for (const { object } of manifests({ image: "operator:1", operandImage: "hyperkube:1", ...versions })) {
    const resource = [clusterRoles, clusterRoleBindings, roles, roleBindings].find(
      ({ kind }) => kind === object.kind,
    );
    if (resource) await put(resource, object);
  }
}
