import type { Collector } from "./collector.ts";
import { alerts } from "./collectors/alerts.ts";
import { authenticationType } from "./collectors/authentication-type.ts";
import { clusterOperatorConditions } from "./collectors/cluster-operator-conditions.ts";
import { clusterOperatorVersions } from "./collectors/cluster-operator-versions.ts";
import { clusterVersionConditions } from "./collectors/cluster-version-conditions.ts";
import { clusterWideProxy } from "./collectors/cluster-wide-proxy.ts";
import { etcdCertificates } from "./collectors/etcd-certificates.ts";
import { logExporters } from "./collectors/log-exporters.ts";
import { machineConfigPoolConditions } from "./collectors/machine-config-pool-conditions.ts";
import { machines } from "./collectors/machines.ts";
import { maintenanceState } from "./collectors/maintenance-state.ts";
import { networkMtu } from "./collectors/network-mtu.ts";
import { nodes } from "./collectors/nodes.ts";
import { nsgReconciliations } from "./collectors/nsg-reconciliations.ts";
import { openShift5 } from "./collectors/open-shift-5.ts";
import { operatorConditions } from "./collectors/operator-conditions.ts";
import { operatorFlags } from "./collectors/operator-flags.ts";
import { operatorHeartbeat } from "./collectors/operator-heartbeat.ts";
import { pods } from "./collectors/pods.ts";
import { serviceCertificates } from "./collectors/service-certificates.ts";
import { summary } from "./collectors/summary.ts";
import { unmanagedNodes } from "./collectors/unmanaged-nodes.ts";
import { versions } from "./collectors/versions.ts";
import { virtualMachines } from "./collectors/virtual-machines.ts";

export interface CollectorSettings {
  /** Version of the resource provider that runs now. */
  readonly buildId: string;
  /** The service's own domain: it made the certificates of clusters below it. */
  readonly zone: string;
  /** Whose pods are watched. */
  readonly podNamespaces: readonly string[];
}

/** Source: Azure/ARO-RP pkg/util/namespace. */
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

/** All readings of a healthy API server; several run at a time, in this order. */
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
