import type { AlertGroup } from "./alert.ts";

export const azureAlerts: AlertGroup = {
  name: "keelson-azure",
  title: "Hive and security groups",
  collectors: [],
  alerts: [
    {
      name: "KeelsonHiveConditions",
      metric: "hive.clusterdeployment.conditions",
      by: ["type", "reason"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary:
        "The condition {{ $labels.type }} that Hive reports for the cluster has an unexpected status: {{ $labels.reason }}.",
      meaning:
        "Hive cannot connect to the cluster, or has not adopted it. Hive does not reconcile its objects in this cluster.",
      actions: [
        "Read the messages of the conditions with `GET clusterdeployment`.",
        "If the condition is Unreachable although the cluster's API server is healthy, check the network between Hive and the cluster. Also check the kubeconfig in the cluster's namespace in Hive.",
      ],
    },
    {
      name: "KeelsonHiveSyncFailing",
      metric: "hive.clustersync",
      where: { status: '="Failure"' },
      by: ["name", "type"],
      condition: "== 1",
      forMinutes: 60,
      severity: "warning",
      summary: "{{ $labels.type }} {{ $labels.name }} cannot be applied to the cluster.",
      meaning: "The cluster rejects an object that Hive should reconcile in it.",
      actions: ["Run `GET clustersync`. The field `failureMessage` names the object and the reason."],
    },
    {
      name: "KeelsonSecurityGroupDenies",
      metric: "monitor.preconfigurednsg.invaliddenyrule",
      by: ["networksecuritygroup", "rulename"],
      condition: "== 1",
      forMinutes: 15,
      severity: "warning",
      summary:
        "Rule {{ $labels.rulename }} of {{ $labels.networksecuritygroup }} blocks traffic between the cluster's machines.",
      meaning:
        "The customer manages the network security groups of this cluster, and one of their rules denies required traffic.",
      actions: [
        "The customer must remove the rule, or add a rule with a higher priority that allows the machines' subnets. The dimensions of the metric contain the sources, destinations and priority of the rule.",
      ],
    },
    {
      name: "KeelsonSubnetForbidden",
      metric: "monitor.preconfigurednsg.subnetaccessforbidden",
      by: ["vNet", "subnet"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "The service may not read subnet {{ $labels.subnet }} of {{ $labels.vNet }}.",
      meaning:
        "The monitor cannot check the network security groups of this cluster. The next update of the cluster will fail for the same reason.",
      actions: ["The customer must assign the service's principal its role on the virtual network again."],
    },
  ],
};
