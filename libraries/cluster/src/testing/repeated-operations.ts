import { CloudError } from "@keelson/arm";
import { silentLogger, systemClock } from "@keelson/base";
import { remove, replace, type Stored } from "@keelson/database";
import {
  type ClusterDocument,
  type OpenShiftCluster,
  type ServiceDatabase,
  withProperties,
} from "@keelson/model";
import type { Graph, Step } from "@keelson/workflow";
import type { ClusterContext } from "../context.ts";
import { ClusterOperation } from "../operation.ts";
import { putCluster } from "./documents.ts";
import { acquireCluster, guardOf, signal } from "./store.ts";
import type { World } from "./world.ts";

/** The graphs with one step that fails after its work is done: the worst moment for a repetition. */
export function failingAfter(
  graphs: readonly Graph<ClusterContext>[],
  name: string,
): readonly Graph<ClusterContext>[] {
  const fail = () => {
    throw new CloudError("InvalidParameter", `injected after ${name}`);
  };
  const failing = (step: Step<ClusterContext>): Step<ClusterContext> => {
    if (step.name !== name) return step;
    return step.kind === "action"
      ? { ...step, run: (context) => step.run(context).then(fail) }
      : { ...step, until: async (context) => ((await step.until(context)) ? fail() : false) };
  };
  return graphs.map((graph) => ({ ...graph, steps: graph.steps.map(failing) }));
}

/** Runs one operation on a cluster to its end, as a worker does. Returns its error, and the cluster unless it is deleted. */
export async function runOperation(
  { environment, subscriptionId }: World,
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
  plan: readonly Graph<ClusterContext>[],
): Promise<{ readonly error: unknown; readonly cluster: OpenShiftCluster }> {
  const { operationId } = await putCluster(database, cluster);
  const leased = await acquireCluster(database, "worker");
  const { clusters, subscriptions } = database.collections;
  const found = await subscriptions.find(subscriptionId, subscriptionId, signal);
  if (!found) throw new Error(`subscription ${subscriptionId} is not registered`);
  let stored: Stored<ClusterDocument> = leased;
  let error: unknown;
  for (let result: string = "handed-over"; result === "handed-over"; ) {
    await using operation = new ClusterOperation({
      database,
      environment,
      stored,
      operationId,
      subscription: found.document,
      guard: guardOf(leased),
      signal,
      draining: new AbortController().signal,
      clock: systemClock,
      logger: silentLogger,
      plan,
    });
    await operation.load();
    result = await operation.run().catch((reason: unknown) => {
      error = reason;
      return "failed";
    });
    stored = operation.stored;
  }
  const isGone = cluster.properties.provisioningState === "Deleting" && error === undefined;
  const provisioningState = error === undefined ? "Succeeded" : "Failed";
  const ended = withProperties(stored.document.openShiftCluster, { provisioningState });
  const write = isGone
    ? remove(clusters, stored)
    : replace(clusters, stored, { ...stored.document, openShiftCluster: ended });
  const end = { lease: leased.lease, release: true, signal };
  const { kind } = await database.commit(stored.document.partitionKey, [write], end);
  if (kind !== "committed") throw new Error(`the end of the operation was not stored: ${kind}`);
  return { error, cluster: ended };
}
