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
      meaning:
        "A collector reads one group of metrics from a cluster. The metrics of the failing collectors are missing for this cluster, and alerts on these metrics cannot fire.",
      actions: [
        "Query `monitor_cluster_collector_error` with the `resourceId` of the alert to list the failing collectors. The monitor's log contains their errors.",
        "If only `emitPrometheusAlerts` fails, no Alertmanager runs in the cluster. Check the pods of Alertmanager in `openshift-monitoring`.",
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
        "A reader is the service process that reads from the cluster. It rejects these responses, so data of the cluster is missing or outdated. This affects metrics (reader `monitor`), properties of ARM responses (`frontend`) or pages of the portal (`portal`). The limits are high. An unmodified cluster stays below them even at four times the largest supported size. The cluster's API server is therefore modified, or the cluster contains an unusual object.",
      actions: [
        "Find the request. For `monitor`, the log line `a collector failed` names it. For `portal`, the page of the cluster shows it.",
        "For the limits `objectTokens` and `selectedBytes`, find the large object with `kubectl get --raw`, for example an object with a growing list of conditions.",
        "For the limit `cpu`, the reader sends no requests to this cluster for two minutes. Other clusters are not affected.",
        "If the responses are not valid Kubernetes responses, contact the owner of the cluster.",
      ],
    },
    {
      name: "KeelsonPassesTimeOut",
      metric: "monitor.main.timedout",
      risenWithin: "15m",
      condition: "> 3",
      forMinutes: 0,
      severity: "warning",
      summary: "The collection of metrics from the cluster exceeds its time limit.",
      meaning:
        "A collection, or pass, reads all metrics of one cluster. If the alert fires for a single cluster, this cluster responds slowly, or its responses stop after the first bytes. If it fires for many clusters, the monitor has too little CPU time or the database is slow.",
      actions: [
        "Query `monitor.cluster.collector.duration` to find the slow collector.",
        "If many clusters are affected, start an additional monitor. The monitors divide the clusters among themselves automatically.",
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
      meaning:
        "The monitor collects no metrics of this cluster, because the kubeconfig in the cluster document is missing or unreadable.",
      actions: [
        "Run an administrative update of the cluster, which issues a new kubeconfig.",
        "If many clusters are affected at the same time, the encryption key of their documents is missing. See [Database](database.md#encryption-keys).",
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
        "The monitor has an internal error, which is independent of the cluster's health. Until it is fixed, the cluster is not monitored.",
      actions: [
        "Read the error in the log line `a monitor broke` and report it as a bug. Until the bug is fixed, run the previous version of the monitor.",
      ],
    },
    {
      name: "KeelsonMonitorAbsent",
      metric: "monitor.heartbeat",
      condition: "< 1",
      forMinutes: 5,
      severity: "critical",
      summary: "No ready monitor is running.",
      meaning:
        "Either no monitor runs, or no running monitor is ready. A monitor is ready when it has loaded the list of clusters and acquired some of them. No metrics are collected, and no other alert about clusters can fire.",
      actions: [
        "Check `GET /healthz/ready` and the log of each monitor, and its connection to the database.",
        "After a monitor has started or failed, the monitors redistribute the clusters within 90 seconds.",
      ],
    },
    {
      name: "KeelsonPassesLate",
      metric: "monitor.workers.late",
      risenWithin: "15m",
      condition: "> 30",
      forMinutes: 15,
      severity: "warning",
      summary: "A monitor cannot collect the metrics of each of its clusters once a minute.",
      meaning:
        "The collection of metrics begins late, because a monitor has too many clusters. Problems are therefore detected later.",
      actions: [
        "If `monitor.workers.active.count` is at its limit while the CPU is idle, clusters respond slowly. Check `monitor.main.timedout`.",
        "If the CPU of the process is constantly busy, start an additional monitor. It acquires its share of the clusters automatically.",
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
      summary: "A cluster has more series of {{ $labels.metric }} than the limit.",
      meaning:
        "The monitor exposes at most 200 series per metric and cluster to Prometheus. It drops further series, and alerts on them cannot fire.",
      actions: [
        "Find the cluster with 200 series of this metric. Usually hundreds of its nodes have the same problem.",
      ],
    },
  ],
};
