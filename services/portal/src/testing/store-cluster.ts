import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Secret } from "@keelson/base";
import { newCluster } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import { type ClusterProperties, clusterKeys, type ServiceDatabase, withProperties } from "@keelson/model";

export const subscriptionId = "33333333-3333-4333-8333-333333333333";

/** Returns kubeconfigs for the service and for the SREs' user. Both have the same content. */
export function bothKubeconfigs(
  kubeconfig: string,
): Pick<ClusterProperties, "aroServiceKubeconfig" | "aroSREKubeconfig"> {
  const secret = new Secret(kubeconfig);
  return { aroServiceKubeconfig: secret, aroSREKubeconfig: secret };
}

/** Stores a cluster after its creation has completed. Returns its lower-case ID. */
export async function storeCluster(
  database: ServiceDatabase,
  properties: Partial<ClusterProperties> = {},
  name = `c-${randomUUID().slice(0, 8)}`,
): Promise<string> {
  const openShiftCluster = withProperties(
    newCluster({ name, subscriptionId, state: "Succeeded" }),
    properties,
  );
  const keys = clusterKeys(openShiftCluster);
  const document = { ...keys, id: randomUUID(), partitionKey: subscriptionId, bucket: 0, openShiftCluster };
  const write = create(database.collections.clusters, document);
  const result = await database.commit(subscriptionId, [write], { signal: AbortSignal.timeout(900_000) });
  assert.equal(result.kind, "committed");
  return keys.key;
}
