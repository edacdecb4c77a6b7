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
      unless: { alerts: ["KeelsonMasterNotReady", "KeelsonWorkerNotReady"], on: ["nodeName"] },
      by: ["namespace", "name"],
      condition: "== 1",
      forMinutes: 60,
      severity: "warning",
      summary: "Pod {{ $labels.namespace }}/{{ $labels.name }} has not been ready for an hour.",
      meaning:
        "A pod of the platform does not work. If other replicas of the pod are ready, this is not an outage. The alert excludes pods on nodes for which KeelsonMasterNotReady or KeelsonWorkerNotReady fires.",
      actions: [
        "Read the pod's conditions with `GET kubernetesobjects?kind=Pod`, and its log with `GET kubernetespodlogs`.",
        "If the pod's node is unhealthy, for example with the alert KeelsonNodePressure, fix the node first.",
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
        "The process of the container exits repeatedly, its image is unavailable, or an object that it mounts is missing.",
      actions: [
        "For CrashLoopBackOff, read `GET kubernetespodlogs`. The dimension `lastTerminationState` of the metric contains the reason of the last exit.",
        "For ImagePullBackOff, check the cluster's pull secret (`arooperator.conditions`). Also check that the registry is an allowed host of the cluster.",
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
      summary:
        "Pod {{ $labels.namespace }}/{{ $labels.name }} has restarted {{ $value }} times within an hour.",
      meaning:
        "The containers of the pod have restarted more than three times within the last hour. The metric has a value only for platform pods with at least ten restarts in total.",
      actions: [
        "Check whether the containers were terminated with `OOMKilled`. Also follow the steps of KeelsonContainerWaiting.",
      ],
    },
    {
      name: "KeelsonPlatformAlertCritical",
      metric: "prometheus.alerts",
      where: { severity: '="critical"' },
      by: ["alert"],
      condition: ">= 1",
      forMinutes: 15,
      severity: "warning",
      summary: "The cluster's own monitoring reports the critical alert {{ $labels.alert }}.",
      meaning:
        "Alertmanager in the cluster reports this alert for the OpenShift platform. Alerts of the customer's namespaces are not included.",
      actions: [
        "Evaluate the alert's expression on the page Prometheus of the cluster in the portal.",
        "Search the runbooks of OpenShift for the name of the alert.",
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
      meaning: "The service receives no logs of the cluster's nodes. The cluster itself is not affected.",
      actions: [
        "Check the DaemonSet in `openshift-azure-logging` and the condition `GenevaLoggingControllerDegraded` of the ARO operator.",
        "Check that the cluster can connect to the gateway. The metric `gateway.connections` with `denied` counts the connections that the gateway has refused.",
      ],
    },
  ],
};
