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
        "Hive's condition {{ $labels.type }} of the cluster has an unexpected status: {{ $labels.reason }}.",
      meaning:
        "Hive cannot reach the cluster, or has not adopted it. Hive no longer reconciles its objects in the cluster.",
      actions: [
        "`GET clusterdeployment` of the admin API has the messages.",
        "Unreachable although the cluster's API server is healthy: check the network between Hive and the cluster, and the kubeconfig in Hive's namespace.",
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
      actions: ["`GET clustersync`: `failureMessage` names the object and the reason."],
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
      meaning: "The customer manages the security groups of this cluster and denies required traffic.",
      actions: [
        "The customer must remove the rule, or add a rule with a higher priority that allows the machines' subnets. The metric has its sources, destinations and priority.",
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
        "The security groups of this cluster are not checked. Its next update will fail for the same reason.",
      actions: ["The customer gives the service's principal its role on the virtual network back."],
    },
  ],
};
