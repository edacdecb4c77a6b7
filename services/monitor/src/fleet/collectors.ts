import type { Collector } from "../cluster/collector.ts";
import { alerts } from "../cluster/collectors/alerts.ts";
import { authenticationType } from "../cluster/collectors/authentication-type.ts";
import { clusterOperatorConditions } from "../cluster/collectors/cluster-operator-conditions.ts";
import { clusterOperatorVersions } from "../cluster/collectors/cluster-operator-versions.ts";
import { clusterVersionConditions } from "../cluster/collectors/cluster-version-conditions.ts";
import { clusterWideProxy } from "../cluster/collectors/cluster-wide-proxy.ts";
import { etcdCertificates } from "../cluster/collectors/etcd-certificates.ts";
import { logExporters } from "../cluster/collectors/log-exporters.ts";
import { machineConfigPoolConditions } from "../cluster/collectors/machine-config-pool-conditions.ts";
import { machines } from "../cluster/collectors/machines.ts";
import { maintenanceState } from "../cluster/collectors/maintenance-state.ts";
import { networkMtu } from "../cluster/collectors/network-mtu.ts";
import { nodes } from "../cluster/collectors/nodes.ts";
import { nsgReconciliations } from "../cluster/collectors/nsg-reconciliations.ts";
import { openShift5 } from "../cluster/collectors/open-shift-5.ts";
import { operatorConditions } from "../cluster/collectors/operator-conditions.ts";
import { operatorFlags } from "../cluster/collectors/operator-flags.ts";
import { operatorHeartbeat } from "../cluster/collectors/operator-heartbeat.ts";
import { pods } from "../cluster/collectors/pods.ts";
import { serviceCertificates } from "../cluster/collectors/service-certificates.ts";
import { summary } from "../cluster/collectors/summary.ts";
import { unmanagedNodes } from "../cluster/collectors/unmanaged-nodes.ts";
import { versions } from "../cluster/collectors/versions.ts";
import { virtualMachines } from "../cluster/collectors/virtual-machines.ts";

export interface CollectorSettings {
  /** Version of the running resource provider. */
  readonly buildId: string;
  /** DNS zone of the service. The service issues certificates only for domains below this zone. */
  readonly zone: string;
  /** Namespaces of the pods to check. */
  readonly podNamespaces: readonly string[];
}

/** Platform namespaces that contain the pods to check. Source: Azure/ARO-RP pkg/util/namespace. */
export const platformPodNamespaces = [
  "openshift-apiserver",
  "openshift-azure-logging",
  "openshift-azure-operator",
  "openshift-etcd",
  "openshift-ingress",
  "openshift-kube-apiserver",
  "openshift-machine-config-operator",
  "openshift-machine-api",
  "openshift-monitoring",
];

/**
 * Returns the collectors for a cluster with a healthy API server, in the order in which they start. Several of them run at the
 * same time.
 */
export function clusterCollectors({ buildId, zone, podNamespaces }: CollectorSettings): readonly Collector[] {
  return [
    openShift5,
    operatorHeartbeat,
    operatorConditions,
    nsgReconciliations,
    clusterOperatorConditions,
    clusterOperatorVersions,
    clusterVersionConditions,
    versions(buildId),
    logExporters,
    machineConfigPoolConditions,
    unmanagedNodes,
    machines,
    nodes,
    pods(podNamespaces),
    virtualMachines,
    summary,
    operatorFlags,
    maintenanceState,
    serviceCertificates(zone),
    etcdCertificates,
    alerts,
    clusterWideProxy,
    authenticationType,
    networkMtu,
  ];
}
