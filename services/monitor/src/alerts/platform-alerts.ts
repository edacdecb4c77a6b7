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
        "The component of this operator does not work, for example the console, ingress, authentication or the API itself.",
      actions: [
        "`GET kubernetesobjects?kind=ClusterOperator&name=NAME` has the reason in its conditions, and the affected namespaces in `status.relatedObjects`.",
        "Check its pods and nodes. The alerts of nodes and pods name unhealthy ones.",
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
        "It works with a fault, for example a missing replica, a rejected configuration or a stalled rollout.",
      actions: [
        "The message of its condition `Degraded` has the reason. The monitor logs it in the first pass of each hour.",
        "A configuration that the customer wrote (ingress certificates, identity providers, the cluster-wide proxy) must be fixed by the customer.",
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
      meaning: "An update has been running for three hours, and this operator still has a different version.",
      actions: [
        "The condition `Progressing` of the ClusterVersion names the cause of the delay.",
        "`machine-config` is updated last and takes long on many nodes. A node that cannot be drained delays it, usually because of a PodDisruptionBudget of the customer.",
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
        "It cannot apply part of the release. An update stalls. Without an update, the operators of the cluster are no longer reconciled.",
      actions: [
        "`GET kubernetesobjects?kind=ClusterVersion&name=version`: the condition's message names the manifest.",
        "Follow the operator that it names.",
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
        "A node of the pool does not apply its configuration, or the configuration cannot be rendered. Further nodes are not updated meanwhile.",
      actions: [
        "`GET kubernetesobjects?kind=MachineConfigPool&name=NAME`: the condition names the node.",
        "`GET kubernetespodlogs` of the `machine-config-daemon` on that node.",
        "The customer must remove a MachineConfig that contradicts the platform's.",
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
        "Such nodes get neither configuration nor updates. A negative value means that pools count machines without a node.",
      actions: [
        "Compare the labels of the nodes with the `nodeSelector` of the pools: a pool of the customer often selects too few.",
      ],
    },
  ],
};
