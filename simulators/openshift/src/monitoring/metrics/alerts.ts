import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import type { Fault } from "../../faults/fault.ts";
import type { FaultInterval } from "../../faults/fault-registry.ts";
import { type ClusterState, conditionsOf } from "./cluster-state.ts";

/** Firing alert. */
export interface FiringAlert {
  /** Alert labels, for example `alertname` and `severity`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly sinceMs: number;
}

/** Returns the firing alerts for a cluster state. OpenShift's alerting rules use the same names. */
export function planAlerts(state: ClusterState, inForce: readonly FaultInterval[]): readonly FiringAlert[] {
  return [
    {
      labels: { alertname: "Watchdog", namespace: "openshift-monitoring", severity: "none" },
      summary: "Fires always, so that its absence shows that alerting is broken.",
      sinceMs: state.createdMs,
    },
    ...state.nodes.flatMap(nodeAlerts),
    ...state.clusterOperators.flatMap(operatorAlerts),
    ...state.machines.flatMap((machine) => machineAlerts(machine)),
    ...state.pods.flatMap(podAlerts),
    ...inForce.flatMap(({ fault, fromMs }) => faultAlerts(fault, fromMs)),
  ];
}

function nodeAlerts(node: KubeObject): readonly FiringAlert[] {
  const labels = { namespace: "openshift-monitoring", node: node.metadata.name, severity: "warning" };
  return conditionsOf(node).flatMap(({ type, status, sinceMs }): FiringAlert[] => {
    if (type === "Ready" && status !== "True") {
      const notReady = {
        labels: { alertname: "KubeNodeNotReady", ...labels },
        summary: "Node is not ready.",
        sinceMs,
      };
      if (status !== "Unknown") return [notReady];
      return [
        notReady,
        {
          labels: { alertname: "KubeNodeUnreachable", ...labels },
          summary: "Node is unreachable.",
          sinceMs,
        },
      ];
    }
    if (!type.endsWith("Pressure") || status !== "True") return [];
    return [
      {
        labels: { alertname: "KubeNodePressure", ...labels, condition: type, severity: "info" },
        summary: "Node has a pressure condition.",
        sinceMs,
      },
    ];
  });
}

function operatorAlerts(operator: KubeObject): readonly FiringAlert[] {
  const { name } = operator.metadata;
  const namespace = "openshift-cluster-version";
  return conditionsOf(operator).flatMap(({ type, status, reason, sinceMs }): FiringAlert[] => {
    if (type === "Degraded" && status === "True") {
      return [
        {
          labels: { alertname: "ClusterOperatorDegraded", name, namespace, reason, severity: "warning" },
          summary: "Cluster operator has been degraded.",
          sinceMs,
        },
      ];
    }
    if (type !== "Available" || status === "True") return [];
    return [
      {
        labels: { alertname: "ClusterOperatorDown", name, namespace, reason, severity: "critical" },
        summary: "Cluster operator has not been available.",
        sinceMs,
      },
    ];
  });
}

function machineAlerts(machine: KubeObject): readonly FiringAlert[] {
  const phase = stringAt(machine, "status", "phase") ?? "";
  if (phase === "Running" || phase === "Deleting") return [];
  return [
    {
      labels: {
        alertname: "MachineWithNoRunningPhase",
        exported_namespace: "openshift-machine-api",
        name: machine.metadata.name,
        namespace: "openshift-machine-api",
        phase,
        severity: "warning",
      },
      summary: "Machine is in a phase other than Running.",
      sinceMs:
        Date.parse(stringAt(machine, "status", "lastUpdated") ?? machine.metadata.creationTimestamp ?? "") ||
        0,
    },
  ];
}

/** Returns the alerts for a pod. OpenShift's rules select only pods in platform namespaces. */
function podAlerts(pod: KubeObject): readonly FiringAlert[] {
  const { name, namespace = "" } = pod.metadata;
  if (!/^(openshift-|kube-|default$)/.test(namespace)) return [];
  return listAt(pod, "status", "containerStatuses").flatMap((status): FiringAlert[] => {
    const reason = stringAt(status, "state", "waiting", "reason");
    if (reason !== "CrashLoopBackOff") return [];
    return [
      {
        labels: {
          alertname: "KubePodCrashLooping",
          container: stringAt(status, "name") ?? "",
          namespace,
          pod: name,
          reason,
          severity: "warning",
        },
        summary: `Pod is crash looping, ${numberAt(status, "restartCount") ?? 0} restarts.`,
        sinceMs: Date.parse(stringAt(status, "lastState", "terminated", "finishedAt") ?? "") || 0,
      },
    ];
  });
}

function faultAlerts({ kind, parameters }: Fault, sinceMs: number): readonly FiringAlert[] {
  const text = (name: string) => (parameters[name] === undefined ? undefined : String(parameters[name]));
  switch (kind) {
    case "alert": {
      const more = {
        namespace: text("namespace"),
        target: text("target"),
        secondary_target: text("secondaryTarget"),
      };
      const given = Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return [
        {
          labels: {
            alertname: text("alert") ?? "",
            severity: text("severity") ?? "warning",
            ...Object.fromEntries(given),
          },
          summary: text("summary") ?? "Was asked for.",
          sinceMs,
        },
      ];
    }
    case "api-error":
      // The alerting rule counts only server errors. A fault for a single resource does not fire the alert.
      if (Number(parameters.code ?? 500) < 500 || parameters.resource !== undefined) return [];
      return [
        {
          labels: {
            alertname: "KubeAPIErrorBudgetBurn",
            long: "1h",
            namespace: "openshift-kube-apiserver",
            severity: "critical",
            short: "5m",
          },
          summary: "The API server is burning too much error budget.",
          sinceMs,
        },
      ];
    case "disk-full":
      if (parameters.node !== undefined) return [];
      return [
        {
          labels: {
            alertname: "etcdDatabaseQuotaLowSpace",
            namespace: "openshift-etcd",
            severity: "critical",
          },
          summary: "etcd cluster database is running full.",
          sinceMs,
        },
      ];
    case "drain-error":
      return [
        {
          labels: {
            alertname: "MCCDrainError",
            exported_node: text("node") ?? "",
            namespace: "openshift-machine-config-operator",
            severity: "warning",
          },
          summary: "Drain of a node failed.",
          sinceMs,
        },
      ];
    case "clock-skew":
      return [
        {
          labels: {
            alertname: "NodeClockNotSynchronising",
            namespace: "openshift-monitoring",
            severity: "warning",
          },
          summary: "Clock not synchronising.",
          sinceMs,
        },
      ];
    default:
      return [];
  }
}
