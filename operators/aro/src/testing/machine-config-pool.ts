import { type KubeObject, type ObjectMeta, resources } from "@keelson/kube";
import type { TestCluster } from "./test-cluster.ts";

/** Creates a pool of nodes. The test's server must serve `resources.machineConfigPools`. */
export async function putPool(
  cluster: TestCluster,
  name: string,
  metadata: Partial<ObjectMeta> = {},
): Promise<KubeObject> {
  const role = "machineconfiguration.openshift.io/role";
  return cluster.put(resources.machineConfigPools, {
    metadata: { name, ...metadata },
    spec: {
      machineConfigSelector: { matchExpressions: [{ key: role, operator: "In", values: [name] }] },
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: "" } },
    },
  });
}
