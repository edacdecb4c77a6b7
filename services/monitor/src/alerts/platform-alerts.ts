import type { AlertGroup } from "./alert.ts";

export const platformAlerts: AlertGroup = {
  name: "keelson-platform",
  title: "Operators and versions",
  collectors: [
    "emitClusterOperatorConditions",
    "emitClusterOperatorVersions",
    "emitClusterVersionConditions",
    "emitMachineConfigPoolConditions",
    "emitMachineConfigPoolUnmanagedNodeCounts",
  ],
  alerts: [
    {
      name: "KeelsonClusterOperatorUnavailable",
      metric: "clusteroperator.conditions",
      where: { type: '="Available"', status: '!="True"' },
      by: ["name"],
      condition: "== 1",
      forMinutes: 10,
      severity: "critical",
      summary: "ClusterOperator {{ $labels.name }} is not available.",
      meaning:
        "The component that this operator manages does not work, for example the console, ingress, authentication or the API.",
      actions: [
        "Read the ClusterOperator with `GET kubernetesobjects?kind=ClusterOperator&name=NAME`. Its conditions contain the reason. `status.relatedObjects` contains the affected namespaces.",
        "Check the operator's pods and their nodes. Further alerts name unhealthy nodes and pods.",
        "During an update (`clusterversion.conditions` with `Progressing`), wait until the operator is updated before you act.",
      ],
    },
    {
      name: "KeelsonClusterOperatorDegraded",
      metric: "clusteroperator.conditions",
      where: { type: '="Degraded"', status: '="True"' },
      by: ["name"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "ClusterOperator {{ $labels.name }} is degraded.",
      meaning:
        "The component of this operator works only partly, for example because of a missing replica, a rejected configuration or a stalled rollout.",
      actions: [
        "Read the message of the condition `Degraded` for the reason. The monitor also logs this message once an hour.",
        "If the cause is a configuration of the customer (ingress certificates, identity providers, the cluster-wide proxy), the customer must fix it.",
      ],
    },
    {
      name: "KeelsonClusterOperatorBehind",
      metric: "clusteroperator.versions",
      // The ARO operator is excluded, because it has the version of the service and not of OpenShift.
      where: { name: '!="aro"' },
      by: ["name"],
      condition: "== 1",
      forMinutes: 180,
      severity: "warning",
      summary: "ClusterOperator {{ $labels.name }} has not reached the requested version of the cluster.",
      meaning:
        "An update has been running for three hours, and this operator still does not have the requested version.",
      actions: [
        "The condition `Progressing` of the ClusterVersion names the cause of the delay.",
        "The operator `machine-config` is updated last, and its update takes long on a cluster with many nodes. A node that cannot be drained delays the update. The usual cause is a PodDisruptionBudget of the customer.",
      ],
    },
    {
      name: "KeelsonClusterVersionFailing",
      metric: "clusterversion.conditions",
      where: { type: '="Failing"', status: '="True"' },
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "The cluster version operator fails.",
      meaning:
        "The cluster version operator cannot apply a manifest of the release. A running update stalls. If no update is running, the operators of the cluster are no longer reconciled.",
      actions: [
        "Run `GET kubernetesobjects?kind=ClusterVersion&name=version`. The message of the condition `Failing` names the manifest.",
        "If the message names an operator, check the ClusterOperator with this name.",
      ],
    },
    {
      name: "KeelsonMachineConfigPoolDegraded",
      metric: "machineconfigpool.conditions",
      where: { type: '=~"Degraded|NodeDegraded|RenderDegraded"', status: '="True"' },
      by: ["name"],
      condition: "== 1",
      forMinutes: 15,
      severity: "warning",
      summary: "MachineConfigPool {{ $labels.name }} is degraded.",
      meaning:
        "A node of the pool does not apply its configuration, or the configuration cannot be rendered. Until this is fixed, the other nodes of the pool are not updated.",
      actions: [
        "Run `GET kubernetesobjects?kind=MachineConfigPool&name=NAME`. The message of the condition names the node.",
        "Read the log of the pod `machine-config-daemon` on this node with `GET kubernetespodlogs`.",
        "If a MachineConfig of the customer conflicts with the platform's MachineConfigs, the customer must remove it.",
      ],
    },
    {
      name: "KeelsonNodesUnmanaged",
      metric: "machineconfigpool.unmanagednodescount",
      condition: "!= 0",
      forMinutes: 60,
      severity: "warning",
      summary: "{{ $value }} nodes are not in a MachineConfigPool.",
      meaning:
        "These nodes receive neither configuration nor updates. A negative value means that the pools also count machines without a node.",
      actions: [
        "Compare the labels of the nodes with the `nodeSelector` of the pools. Often the selector of a customer's pool matches too few nodes.",
      ],
    },
  ],
};
