import { alertRule, prometheusRule } from "../static-resources/alerts.ts";

const [overall, individual] = ["HighOverallControlPlaneCPU", "ExtremelyHighIndividualControlPlaneCPU"];
/** Runbook of all CPU alerts in this file. */
const runbook = individual;

/** Alerts for clusters with several masters. If one master fails, the remaining masters need enough CPU to replace it. */
export const severalMastersCpuAlerts = cpuAlerts([
  alertRule({
    alert: overall,
    expr: `sum(100 - (${idlePercent()}) ${ofMasters()}) / count(kube_node_role{role="master"}) > 60`,
    for: "10m",
    severity: "warning",
    summary: "The masters use more CPU than they could without one of them: its end may overload the others.",
    description:
      "Two of three masters must be able to handle the complete load, so the CPU usage must stay below two thirds. Give the masters more CPU and memory.",
    runbook,
  }),
  ...(
    [
      ["5m", "warning"],
      ["1h", "critical"],
    ] as const
  ).map(([pending, severity]) =>
    alertRule({
      alert: individual,
      expr: `100 - (${idlePercent()}) > 90 ${ofMasters()}`,
      for: pending,
      severity,
      summary: "A master has almost no idle CPU. More load is likely to make its API server fail.",
      description:
        "API servers and etcd become slow. Clients retry requests, which increases the load, and probes fail. The other masters have no more CPU than this one. Give the masters more CPU and memory.",
      runbook,
    }),
  ),
]);

/**
 * Returns the alerts for the platform on a single master. With workload partitioning, `cpus` is the number of CPUs reserved for
 * the platform.
 */
export function singleMasterCpuAlerts(cpus: number) {
  const used = `sum(rate(container_cpu_usage_seconds_total{namespace=~"openshift-.*",image!=""}[4m])) / ${cpus} * 100`;
  const alert = (name: string, percent: number, pending: string, severity: "warning" | "critical") =>
    alertRule({
      alert: name,
      expr: `${used} > ${percent}`,
      for: pending,
      severity,
      summary: `The pods of the platform use more than ${percent} % of their CPU.`,
      description: `The platform has ${cpus} CPUs on this node. API server and etcd become slow without CPU, and probes fail. Give the node more CPU, or reserve more for the platform with workload partitioning.`,
      runbook,
    });
  return cpuAlerts([alert(overall, 60, "10m", "warning"), alert(individual, 90, "1h", "critical")]);
}

function cpuAlerts(rules: readonly object[]) {
  return prometheusRule("cpu-utilization", [{ name: "control-plane-cpu-utilization", rules }]);
}

function idlePercent(): string {
  return 'avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[1m])) * 100';
}

function ofMasters(): string {
  return 'AND on (instance) label_replace(kube_node_role{role="master"}, "instance", "$1", "node", "(.+)")';
}
