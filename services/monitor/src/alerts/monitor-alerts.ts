import type { AlertGroup } from "./alert.ts";

export const monitorAlerts: AlertGroup = {
  name: "keelson-monitor",
  title: "The monitor itself",
  collectors: [],
  alerts: [
    {
      name: "KeelsonCollectorFailing",
      metric: "monitor.cluster.collector.error",
      where: { collector: '!~"emitAPIServerHealthzCode|emitAPIServerPingCode"' },
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "Collectors of the monitor fail.",
      meaning: "Metrics of these collectors are missing for the cluster, and their alerts cannot fire.",
      actions: [
        "`monitor_cluster_collector_error` with the `resourceId` of the alert lists the collectors. The monitor's log has their errors.",
        "`emitPrometheusAlerts` alone: no Alertmanager runs in the cluster; see its pods in `openshift-monitoring`.",
      ],
    },
    {
      name: "KeelsonClusterLimitExceeded",
      metric: "monitor.cluster.limit.exceeded",
      risenWithin: "15m",
      by: ["reader", "limit"],
      condition: "> 2",
      forMinutes: 0,
      severity: "warning",
      summary:
        "Responses of the cluster exceed the limit {{ $labels.limit }} of the reader {{ $labels.reader }}.",
      meaning:
        "The reader rejects these responses. Values that it reads from the cluster are missing or old: metrics for `monitor`, live properties of ARM responses for `frontend`, pages for `portal`. An ordinary cluster of four times the largest supported size stays below all limits, so the cluster's API server is modified, or an object in it is unusual.",
      actions: [
        "For `monitor`, the log line `a collector failed` names the request. For `portal`, the page of the cluster does.",
        "`objectTokens`, `selectedBytes`: find the object with `kubectl get --raw` and its size, for example a condition list that grows.",
        "`cpu`: the reader does not read the cluster for two minutes. Other clusters are not affected.",
        "An API server that does not respond as Kubernetes does: contact the owner of the cluster.",
      ],
    },
    {
      name: "KeelsonPassesTimeOut",
      metric: "monitor.main.timedout",
      risenWithin: "15m",
      condition: "> 3",
      forMinutes: 0,
      severity: "warning",
      summary: "Passes over the cluster take longer than they may.",
      meaning:
        "The cluster answers slowly, or not at all after its first bytes. Of one cluster it is the cluster's fault; of many, the monitor has too little CPU or the database is slow.",
      actions: [
        "`monitor.cluster.collector.duration` names the slow collector.",
        "Of many clusters: start another monitor; they share the clusters by themselves.",
      ],
    },
    {
      name: "KeelsonClusterWithoutKubeconfig",
      metric: "monitor.main.notreached",
      risenWithin: "15m",
      condition: "> 3",
      forMinutes: 0,
      severity: "warning",
      summary: "The service has no kubeconfig that it could reach the cluster with.",
      meaning:
        "The cluster is not watched at all. Its document has no kubeconfig, or one that cannot be read.",
      actions: [
        "An administrative update of the cluster issues it again.",
        "Of many clusters at once: the encryption key that their documents are sealed with is missing; see [Database](database.md).",
      ],
    },
    {
      name: "KeelsonMonitorBroken",
      metric: "monitor.cluster.failedworker",
      risenWithin: "15m",
      condition: "> 3",
      forMinutes: 0,
      severity: "critical",
      summary: "Passes over the cluster break.",
      meaning:
        "An error of the monitor's own. It says nothing of the cluster, which is not watched meanwhile.",
      actions: [
        "The log line `a monitor broke` has the error: report it. Going back to the version before helps until it is mended.",
      ],
    },
    {
      name: "KeelsonMonitorAbsent",
      metric: "monitor.heartbeat",
      condition: "< 1",
      forMinutes: 5,
      severity: "critical",
      summary: "No monitor is at work.",
      meaning:
        "No monitor says that it knows the clusters and has a share of them: nothing here is measured, and no other alert can fire.",
      actions: [
        "`GET /healthz/ready` of each monitor, its log, and whether it reaches the database.",
        "After a start or the loss of one, a monitor takes its share within a minute and a half.",
      ],
    },
    {
      name: "KeelsonPassesLate",
      metric: "monitor.workers.late",
      risenWithin: "15m",
      condition: "> 30",
      forMinutes: 15,
      severity: "warning",
      summary: "A monitor cannot visit its clusters once a minute.",
      meaning:
        "Passes begin late: one monitor has more clusters than it has time for. Nothing is lost but how soon a fault is seen.",
      actions: [
        "`monitor.workers.active.count` at its limit while the process has time to spare: clusters answer slowly; see `monitor.main.timedout`.",
        "A process that is busy all the time: start another monitor, which takes its share by itself.",
      ],
    },
    {
      name: "KeelsonFiguresLost",
      metric: "monitor.series.dropped",
      risenWithin: "1h",
      by: ["metric"],
      condition: "> 0",
      forMinutes: 0,
      severity: "warning",
      summary: "A cluster sends more of {{ $labels.metric }} than is kept.",
      meaning:
        "Of one metric, 200 series of a cluster are shown to Prometheus; what is beyond is not, and alerts about it cannot fire.",
      actions: [
        "Find the cluster: its series of this metric are 200. A cluster of hundreds of nodes with the same fault is the usual reason.",
      ],
    },
  ],
};
