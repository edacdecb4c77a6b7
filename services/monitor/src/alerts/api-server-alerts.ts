import type { AlertGroup } from "./alert.ts";

export const apiServerAlerts: AlertGroup = {
  name: "keelson-api-server",
  title: "API server",
  collectors: ["emitAPIServerHealthzCode", "emitAPIServerPingCode"],
  alerts: [
    {
      name: "KeelsonApiServerUnreachable",
      metric: "apiserver.healthz.code",
      where: { code: '="0"' },
      condition: "== 1",
      forMinutes: 5,
      severity: "critical",
      summary: "The API server does not answer.",
      meaning:
        "No connection to the API server came about, or no answer within the limit. Nobody can change the cluster; what runs on its workers may well go on. Nothing else is measured meanwhile: the other figures of the cluster are missing, and their alerts end.",
      actions: [
        "See in Azure whether the masters run: `GET resources` of the admin API shows their instance view, `startvm` starts them.",
        "`GET serialconsole` of each master shows how far it came.",
        "Several clusters at once: the fault is in the network between the monitor and the clusters (private endpoints, DNS), not in them.",
        "Two masters gone for good: see [etcd](admin-actions.md) before you replace any.",
      ],
    },
    {
      name: "KeelsonApiServerUnhealthy",
      metric: "apiserver.healthz.code",
      where: { code: '!~"0|200"' },
      by: ["code"],
      condition: "== 1",
      forMinutes: 5,
      severity: "critical",
      summary: "The API server answers, but is not healthy: {{ $labels.code }}.",
      meaning:
        "`/healthz` answered with another status than 200. `apiserver.healthz.ping.code` 200 beside it says that the process runs and something behind it does not, nearly always etcd. 401 and 403 say that the service's own kubeconfig is no longer accepted.",
      actions: [
        "`GET kubernetesobjects?kind=ClusterOperator` for `etcd` and `kube-apiserver`, if it still answers.",
        "`GET kubernetespodlogs` of `kube-apiserver-...` and `etcd-...` of each master.",
        "A single failed member of etcd: `POST etcdrecovery`.",
        "401 or 403: an administrative update of the cluster issues the service's kubeconfig again.",
      ],
    },
  ],
};
