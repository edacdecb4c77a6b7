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
      meaning: "A pod of the platform does not work. A single one of several replicas is not an outage.",
      actions: [
        "`GET kubernetesobjects?kind=Pod` has its conditions, `GET kubernetespodlogs` its log.",
        "If its node is unhealthy, begin with the node.",
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
      meaning: "Its process exits repeatedly, its image is unavailable, or a mounted object is missing.",
      actions: [
        "CrashLoopBackOff: `GET kubernetespodlogs`; `lastTerminationState` of the metric has the reason of the last exit.",
        "ImagePullBackOff: check the cluster's pull secret (`arooperator.conditions`), and that the registry is an allowed host of the cluster.",
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
      meaning: "Containers of a platform pod with at least ten restarts continue to exit.",
      actions: ["Same as KeelsonContainerWaiting. Check for `OOMKilled` first."],
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
        "Alertmanager in the cluster reports it for the platform. Alerts of the customer's namespaces are not counted here.",
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
      summary: "The log exporter {{ $labels.name }} has no running pod.",
      meaning: "The service receives no node logs. The cluster itself works.",
      actions: [
        "Check the DaemonSet in `openshift-azure-logging` and the condition `GenevaLoggingControllerDegraded` of the ARO operator.",
        "Check that the cluster can reach the gateway. `gateway.connections` with `denied` counts its rejections.",
      ],
    },
  ],
};
