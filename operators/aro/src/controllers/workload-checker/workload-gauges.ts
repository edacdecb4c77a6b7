import { operatorMetric } from "@keelson/operator-kit/objects";
import type { Workload } from "./platform-workloads.ts";

interface Count {
  readonly labels: { readonly namespace: string; readonly kind: string };
  all: number;
  notReady: number;
}

/** Gauges of an operator. Each gauge keeps the value of its last update. */
export const workloadGauges = operatorMetric((metrics) => {
  let counts: readonly Count[] = [];
  const labels = ["namespace", "kind"] as const;
  metrics.measuredGauge(
    {
      name: "aro_operator_platform_workloads",
      help: "Deployments, DaemonSets and pods of the platform",
      labels,
    },
    () => counts.map(({ labels, all }) => ({ labels, value: all })),
  );
  metrics.measuredGauge(
    {
      name: "aro_operator_platform_workloads_not_ready",
      help: "Deployments, DaemonSets and pods of the platform that are not ready",
      labels,
    },
    () => counts.map(({ labels, notReady }) => ({ labels, value: notReady })),
  );
  return {
    show(workloads: readonly Workload[]) {
      counts = count(workloads);
    },
  };
});

function count(workloads: readonly Workload[]): readonly Count[] {
  const counts = new Map<string, Count>();
  for (const { kind, namespace, fault } of workloads) {
    const name = `${namespace} ${kind}`;
    const of = counts.get(name) ?? { labels: { namespace, kind }, all: 0, notReady: 0 };
    of.all += 1;
    if (fault) of.notReady += 1;
    counts.set(name, of);
  }
  return [...counts.values()];
}
