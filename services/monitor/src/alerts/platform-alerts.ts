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
        "What this operator provides does not work: the console, ingress, authentication, the API itself.",
      actions: [
        "`GET kubernetesobjects?kind=ClusterOperator&name=NAME` has the reason in its conditions, and the namespaces concerned in `status.relatedObjects`.",
        "See its pods and nodes; the alerts of nodes and pods name those that are ill.",
        "Is an update under way (`clusterversion.conditions` with `Progressing`)? Then wait for the operator's turn before you act.",
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
        "It works, and not as it should: a replica is missing, a configuration is refused, a rollout stands still.",
      actions: [
        "The message of its condition `Degraded` says why. In the hour's first pass the monitor's log has it as well.",
        "A configuration that the customer wrote (ingress certificates, identity providers, the cluster-wide proxy) is the customer's to mend.",
      ],
    },
    {
      name: "KeelsonClusterOperatorBehind",
      metric: "clusteroperator.versions",
      // The ARO operator has the version of the service.
      where: { name: '!="aro"' },
      by: ["name"],
      condition: "== 1",
      forMinutes: 180,
      severity: "warning",
      summary:
        "ClusterOperator {{ $labels.name }} has not reached the version that the cluster is asked to have.",
      meaning: "An update has been under way for three hours and this operator is still at another version.",
      actions: [
        "The condition `Progressing` of the ClusterVersion names what the update waits for.",
        "`machine-config` comes last and takes long on many nodes: a node that cannot be drained holds it up, mostly by a PodDisruptionBudget of the customer.",
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
        "It cannot apply part of the release. An update stands still; a cluster that is not being updated no longer keeps its operators as they should be.",
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
        "A node of the pool does not take its configuration, or the configuration cannot be rendered. Further nodes are not updated until it does.",
      actions: [
        "`GET kubernetesobjects?kind=MachineConfigPool&name=NAME`: the condition names the node.",
        "`GET kubernetespodlogs` of the `machine-config-daemon` on that node.",
        "A MachineConfig of the customer that contradicts the platform's is the customer's to remove.",
      ],
    },
    {
      name: "KeelsonNodesUnmanaged",
      metric: "machineconfigpool.unmanagednodescount",
      condition: "!= 0",
      forMinutes: 60,
      severity: "warning",
      summary: "{{ $value }} nodes belong to no MachineConfigPool.",
      meaning:
        "Such nodes get neither configuration nor updates. Below zero, pools count machines that have no node.",
      actions: [
        "Compare the labels of the nodes with the `nodeSelector` of the pools: a pool of the customer often selects too few.",
      ],
    },
  ],
};
