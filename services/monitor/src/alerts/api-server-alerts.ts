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
      summary: "The API server does not respond.",
      meaning:
        "The monitor cannot connect to the API server, or gets no response within the limit. The cluster cannot be changed, but workloads on its workers may continue. All other metrics of the cluster are missing meanwhile, and their alerts end.",
      actions: [
        "Check in Azure that the masters run: `GET resources` of the admin API shows their instance view, `startvm` starts them.",
        "`GET serialconsole` of each master shows the progress of its start.",
        "Several clusters at the same time: the fault is in the network between the monitor and the clusters (private endpoints, DNS).",
        "Two masters permanently lost: see [etcd](admin-actions.md) before you replace any.",
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
      summary: "The API server responds, but is not healthy: {{ $labels.code }}.",
      meaning:
        "`/healthz` returned a status other than 200. If `apiserver.healthz.ping.code` is 200, the process runs, but a dependency fails, usually etcd. 401 and 403 mean that the API server rejects the service's kubeconfig.",
      actions: [
        "`GET kubernetesobjects?kind=ClusterOperator` for `etcd` and `kube-apiserver`, if the API server still responds.",
        "`GET kubernetespodlogs` of `kube-apiserver-...` and `etcd-...` of each master.",
        "A single failed member of etcd: `POST etcdrecovery`.",
        "401 or 403: an administrative update of the cluster issues the service's kubeconfig again.",
      ],
    },
  ],
};
