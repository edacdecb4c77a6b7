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
        "The monitor cannot connect to the API server, or receives no response within the time limit. The cluster cannot be changed, but workloads on its workers may continue. During the outage, all other metrics of the cluster are missing, and their alerts resolve.",
      actions: [
        "Check that the masters' virtual machines run: `GET resources` returns their instance view. `POST startvm` starts a stopped machine.",
        "Run `GET serialconsole` for each master. The console log shows the progress of its boot.",
        "If the alert fires for several clusters at the same time, check the network between the monitor and the clusters (private endpoints, DNS).",
        "If two masters are permanently lost, etcd has no quorum, and `POST etcdrecovery` cannot repair it. Follow OpenShift's procedure for disaster recovery before you replace a master.",
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
        "`/healthz` of the API server returned a status other than 200. If `apiserver.healthz.ping.code` is 200, the API server runs, but a dependency fails, usually etcd. Status 401 or 403 means that the API server rejects the service's kubeconfig.",
      actions: [
        "If the API server still responds, read the ClusterOperators `etcd` and `kube-apiserver` with `GET kubernetesobjects?kind=ClusterOperator`.",
        "Read the logs of the pods `kube-apiserver-...` and `etcd-...` on each master with `GET kubernetespodlogs`.",
        "If exactly one etcd member has failed, run `POST etcdrecovery`.",
        "If the status is 401 or 403, run an administrative update of the cluster, which issues the service's kubeconfig again.",
      ],
    },
  ],
};
