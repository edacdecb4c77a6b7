import { hiveClusterDeployment, hiveClusterSync } from "@keelson/admin-actions";
import { type Clock, type Logger, listAt, messageOf, stringAt } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";
import { clusterDimensions } from "../metrics/cluster-dimensions.ts";
import { type Emit, emitWith, type MetricSink } from "../metrics/metric-spec.ts";

export const hiveMetrics = {
  "hive.clusterdeployment.conditions": {
    help: "1 for each of Hive's conditions Ready and Unreachable of a cluster with an unexpected status.",
    dimensions: ["type", "reason"],
  },
  "hive.clustersync": {
    help: "1 for each set of objects that Hive syncs to a cluster, with the result.",
    dimensions: ["name", "status", "type", "reason"],
  },
  "monitor.hive.collector.error": {
    help: "1 for a failed request to Hive.",
    dimensions: ["collector"],
  },
  "monitor.hive.duration": {
    help: "Duration of Hive's responses in seconds.",
    dimensions: [],
    isFraction: true,
  },
} as const;

export interface HiveMonitorOptions {
  readonly kube: KubeClient;
  readonly sink: MetricSink;
  readonly clock: Clock;
  readonly logger: Logger;
}

const expected: Readonly<Record<string, string>> = { Ready: "True", Unreachable: "False" };

interface Question {
  readonly document: ClusterDocument;
  readonly kube: KubeClient;
  readonly emit: Emit<typeof hiveMetrics>;
  readonly signal: AbortSignal;
}

/** Sends metrics about a cluster's objects in Hive. */
export async function monitorHive(
  document: ClusterDocument,
  { kube, sink, clock, logger }: HiveMonitorOptions,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = clock.monotonicMs();
  const emit = emitWith(hiveMetrics, sink, clusterDimensions(document));
  let failures = 0;
  for (const [collector, ask] of Object.entries({
    emitHiveRegistrationStatus: registration,
    emitClusterSync: clusterSync,
  })) {
    try {
      await ask({ document, kube, emit, signal });
    } catch (error) {
      failures++;
      emit("monitor.hive.collector.error", 1, { collector });
      logger.warn({ collector, error: messageOf(error) }, "Hive did not answer");
    }
  }
  if (failures === 0) emit("monitor.hive.duration", (clock.monotonicMs() - startedMs) / 1_000, {});
}

function namespaceOf({ openShiftCluster: { name, properties } }: ClusterDocument): string {
  const namespace = properties.hiveProfile?.namespace;
  if (!namespace) throw new Error(`cluster ${name} not adopted. No namespace in the clusterdocument`);
  return namespace;
}

async function registration({ document, kube, emit, signal }: Question): Promise<void> {
  const deployment = await hiveClusterDeployment({ kube, signal }, namespaceOf(document));
  for (const condition of listAt(deployment, "status", "conditions")) {
    const type = stringAt(condition, "type") ?? "";
    if (!Object.hasOwn(expected, type) || stringAt(condition, "status") === expected[type]) continue;
    emit("hive.clusterdeployment.conditions", 1, { type, reason: stringAt(condition, "reason") ?? "" });
  }
}

async function clusterSync({ document, kube, emit, signal }: Question): Promise<void> {
  const sync = await hiveClusterSync({ kube, signal }, namespaceOf(document));
  for (const [type, member] of [
    ["SyncSets", "syncSets"],
    ["SelectorSyncSets", "selectorSyncSets"],
  ] as const) {
    for (const each of listAt(sync, "status", member)) {
      emit("hive.clustersync", 1, {
        name: stringAt(each, "name") ?? "",
        status: stringAt(each, "result") ?? "",
        type,
        reason: wordsOf(stringAt(each, "failureMessage") ?? ""),
      });
    }
  }
}

/** Converts a message to a dimension value. Removes all characters except word characters, spaces and dashes. */
function wordsOf(message: string): string {
  return message.slice(0, 1_024).replace(/[^\w\s-]|\n/g, "");
}
