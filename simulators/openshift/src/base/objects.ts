import { isDeepStrictEqual } from "node:util";
import type { ClusterClient, KubeObject, ObjectKey, ResourceRef } from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import { hasReason } from "./status-reason.ts";

/** Writes the status if it has changed. Throws after a conflict, so that the controller retries the key. */
export async function writeStatus(
  client: ClusterClient,
  ref: ResourceRef,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Promise<void> {
  const present = objectAt(object, "status");
  if (isDeepStrictEqual(present, status)) return;
  // Removes undefined fields because JSON does not contain them.
  const wanted: unknown = JSON.parse(JSON.stringify(status));
  if (isDeepStrictEqual(present, wanted)) return;
  await client.updateStatus(ref, { ...object, status: wanted });
}

/** Creates an object with its status. An existing object stays unchanged. */
export async function ensureObject(
  client: ClusterClient,
  ref: ResourceRef,
  object: KubeObject,
): Promise<void> {
  const { status } = object;
  const created = await createUnlessPresent(client, ref, object);
  if (status === undefined) return;
  // Writes the status separately because the API server ignores a status during creation. If the process crashed between both
  // writes, the next call writes the missing status.
  const present = created ?? (await client.get(ref, object.metadata));
  if (Object.keys(objectAt(present, "status")).length === 0)
    await client.updateStatus(ref, { ...present, status });
}

/** Deletes an object. Ignores a missing object. */
export async function ensureDeleted(client: ClusterClient, ref: ResourceRef, key: ObjectKey): Promise<void> {
  await client.delete(ref, key).catch((error: unknown) => {
    if (!hasReason(error, "NotFound")) throw error;
  });
}

async function createUnlessPresent(
  client: ClusterClient,
  ref: ResourceRef,
  object: KubeObject,
): Promise<KubeObject | undefined> {
  try {
    return await client.create(ref, object);
  } catch (error) {
    if (hasReason(error, "AlreadyExists")) return undefined;
    throw error;
  }
}
