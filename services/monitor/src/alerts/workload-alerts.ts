import type { AlertGroup } from "./alert.ts";

export const workloadAlerts: AlertGroup = {
  name: "keelson-workloads",
  title: "Pods and alerts of the platform",
  collectors: ["emitPodConditions", "emitPrometheusAlerts", "emitDaemonsetStatuses"],
  alerts: [
    {
      name: "KeelsonPodNotReady",
      metric: "pod.conditions",
      where: { type: '="Ready"' },
      by: ["namespace", "name"],
      condition: "== 1",
      forMinutes: 60,
      severity: "warning",
      summary: "Pod {{ $labels.namespace }}/{{ $labels.name }} has not been ready for an hour.",
      meaning: "A pod of the platform does not do its work. One of several replicas is no outage.",
      actions: [
        "`GET kubernetesobjects?kind=Pod` has its conditions, `GET kubernetespodlogs` its log.",
        "On a node that is ill itself, begin with the node.",
      ],
    },
    {
      name: "KeelsonContainerWaiting",
      metric: "pod.containerstatuses",
      where: {
        reason:
          '=~"CrashLoopBackOff|ImagePullBackOff|ErrImagePull|CreateContainerConfigError|CreateContainerError"',
      },
      by: ["namespace", "name", "containername", "reason"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary:
        "Container {{ $labels.containername }} of {{ $labels.namespace }}/{{ $labels.name }} does not start: {{ $labels.reason }}.",
      meaning:
        "Its program ends again and again, its image cannot be had, or what its pod mounts is missing.",
      actions: [
        "CrashLoopBackOff: `GET kubernetespodlogs`; `lastTerminationState` of the figure says how it ended.",
        "ImagePullBackOff: is the cluster's pull secret whole (`arooperator.conditions`), is the registry among the hosts that the cluster may reach?",
      ],
    },
    {
      name: "KeelsonPodRestarts",
      metric: "pod.restartcounter",
      by: ["namespace", "name"],
      risenWithin: "1h",
      condition: "> 3",
      forMinutes: 0,
      severity: "warning",
      summary: "Pod {{ $labels.namespace }}/{{ $labels.name }} restarts: {{ $value }} times within an hour.",
      meaning: "Containers of a pod of the platform that has ten restarts behind it go on ending.",
      actions: ["As with KeelsonContainerWaiting. Check for `OOMKilled` first."],
    },
    {
      name: "KeelsonPlatformAlertCritical",
      metric: "prometheus.alerts",
      where: { severity: '="critical"' },
      by: ["alert"],
      condition: ">= 1",
      forMinutes: 15,
      severity: "warning",
      summary: "The cluster's own monitoring has the critical alert {{ $labels.alert }}.",
      meaning:
        "Alertmanager in the cluster fires it about the platform. Alerts of the customer's namespaces are not counted here.",
      actions: [
        "The portal's Prometheus page of the cluster has the expression and its labels.",
        "OpenShift's runbooks are sorted by the alert's name.",
      ],
    },
    {
      name: "KeelsonLogExporterDown",
      metric: "genevalogging.otel.cannotstart",
      by: ["name"],
      condition: "== 1",
      forMinutes: 30,
      severity: "warning",
      summary: "The log exporter {{ $labels.name }} runs on no node.",
      meaning: "The service gets no logs of the nodes. The cluster itself works.",
      actions: [
        "See the DaemonSet in `openshift-azure-logging` and the condition `GenevaLoggingControllerDegraded` of the ARO operator.",
        "Can the cluster reach the gateway? `gateway.connections` with `denied` names what it refused.",
      ],
    },
  ],
};
