import { connectKube, type KubeClient, type KubeResource, resources } from "@keelson/kube";
import { kubeconfigOf, type StandIn } from "../../services/monitor/src/testing/stand-ins/stand-in.ts";

/** Page size of lists in Azure/ARO-RP. */
const pageSize = 50;

/**
 * Lists that the original monitor's collectors read. Each collector sends its own list requests. Source: Azure/ARO-RP
 * pkg/monitor/cluster.
 */
const lists: readonly (readonly [
  collector: string,
  resource: KubeResource,
  namespaces?: readonly string[],
])[] = [
  ["emitClusterOperatorConditions", resources.clusterOperators],
  ["emitClusterOperatorVersions", resources.clusterOperators],
  ["emitMachineConfigPoolConditions", resources.machineConfigPools],
  ["emitMachineConfigPoolUnmanagedNodeCounts", resources.machineConfigPools],
  ["emitMachineConfigPoolUnmanagedNodeCounts", resources.nodes],
  ["emitMachineConditions", resources.machines, ["openshift-machine-api"]],
  ["emitNodeConditions", resources.machines, ["openshift-machine-api"]],
  ["emitNodeConditions", resources.nodes],
  [
    "emitPodConditions",
    resources.pods,
    [
      "openshift-apiserver",
      "openshift-azure-logging",
      "openshift-azure-operator",
      "openshift-etcd",
      "openshift-ingress",
      "openshift-kube-apiserver",
      "openshift-machine-config-operator",
      "openshift-machine-api",
      "openshift-monitoring",
    ],
  ],
];

/**
 * Sends the list requests of one scrape of the original monitor. Omits its requests for single objects, because they are small.
 */
export async function originalLists(standIn: StandIn, signal: AbortSignal): Promise<void> {
  await using kube: KubeClient = connectKube({
    kubeconfig: kubeconfigOf(standIn, 0),
    userAgent: "bench",
    fieldManager: "bench",
  });
  for (const [, resource, namespaces = [undefined]] of lists) {
    for (const namespace of namespaces) {
      let next: string | undefined;
      do {
        const selection = {
          limit: pageSize,
          ...(namespace ? { namespace } : {}),
          ...(next ? { continue: next } : {}),
        };
        const page = await kube.page(resource, selection, signal);
        next = page.continue;
      } while (next);
    }
  }
}
