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
      summary: "Passes over the cluster exceed their time limit.",
      meaning:
        "The cluster responds slowly, or stops after the first bytes. With a single affected cluster, the cluster is the cause. With many, the monitor has too little CPU or the database is slow.",
      actions: [
        "`monitor.cluster.collector.duration` names the slow collector.",
        "Many clusters: start an additional monitor. Monitors share the clusters automatically.",
      ],
    },
    {
      name: "KeelsonClusterWithoutKubeconfig",
      metric: "monitor.main.notreached",
      risenWithin: "15m",
      condition: "> 3",
      forMinutes: 0,
      severity: "warning",
      summary: "The service has no usable kubeconfig for the cluster.",
      meaning: "The cluster is not monitored. The kubeconfig in its document is missing or unreadable.",
      actions: [
        "An administrative update of the cluster issues a new one.",
        "Many clusters at the same time: the encryption key of their documents is missing; see [Database](database.md).",
      ],
    },
    {
      name: "KeelsonMonitorBroken",
      metric: "monitor.cluster.failedworker",
      risenWithin: "15m",
      condition: "> 3",
      forMinutes: 0,
      severity: "critical",
      summary: "Monitoring of the cluster is failing.",
      meaning:
        "Internal error of the monitor, independent of the cluster's health. The cluster is not monitored meanwhile.",
      actions: [
        "The log line `a monitor broke` has the error. Report it, and use the previous version until it is fixed.",
      ],
    },
    {
      name: "KeelsonMonitorAbsent",
      metric: "monitor.heartbeat",
      condition: "< 1",
      forMinutes: 5,
      severity: "critical",
      summary: "No monitor is running.",
      meaning:
        "No monitor reports that it has loaded the clusters and owns a share of them. There are no measurements, and no other alert can fire.",
      actions: [
        "Check `GET /healthz/ready` of each monitor, its log, and its connection to the database.",
        "After the start or the loss of a monitor, the shares are redistributed within 90 seconds.",
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
      meaning: "Passes begin late, because a monitor has too many clusters. Faults are detected later.",
      actions: [
        "`monitor.workers.active.count` at its limit while the CPU is idle: clusters respond slowly; see `monitor.main.timedout`.",
        "Constantly busy process: start an additional monitor. It acquires its share automatically.",
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
      summary: "A cluster sends more series of {{ $labels.metric }} than the limit.",
      meaning:
        "Prometheus receives at most 200 series per metric and cluster. Alerts about the dropped series cannot fire.",
      actions: [
        "Find the cluster with 200 series of this metric. The usual cause is a cluster with the same fault on hundreds of nodes.",
      ],
    },
  ],
};
