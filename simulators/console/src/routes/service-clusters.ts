import { isPlainObject } from "@keelson/base";
import { listOf } from "../http/world-result.ts";
import type { CallWorld, WorldFacts } from "../world/world.ts";

/** API version of clusters in ARM. */
export const clusterApiVersion = "2025-07-25";
const maxClusters = 5_000;

/** Lists the subscription's clusters in ARM format. */
export async function listClusters(
  arm: CallWorld,
  { subscriptionId }: Pick<WorldFacts, "subscriptionId">,
  signal: AbortSignal,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=${clusterApiVersion}`;
  return (await listOf(arm, path, maxClusters, signal)).items;
}

/** Returns the names of all clusters. Empty if the service does not respond. */
export async function clusterNames(
  arm: CallWorld,
  facts: Pick<WorldFacts, "subscriptionId">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const clusters = await listClusters(arm, facts, signal).catch(() => []);
  return clusters.map(({ name }) => String(name)).sort();
}

/** Returns the `properties` object of a cluster. */
export function propertiesOf(cluster: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isPlainObject(cluster.properties) ? cluster.properties : {};
}
