import { isDeepStrictEqual } from "node:util";
import type { ClusterClient, KubeObject, ObjectKey, ResourceRef } from "@keelson/apiserver";
import { recordAt } from "./fields.ts";
import { hasReason } from "./status-reason.ts";

/** Replaces the status if it differs. A conflict throws, so that the caller's key is retried. */
export async function writeStatus(
  client: ClusterClient,
  ref: ResourceRef,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Promise<void> {
  const present = recordAt(object, "status");
  if (isDeepStrictEqual(present, status)) return;
  // Drops undefined fields, which are not sent.
  const wanted: unknown = JSON.parse(JSON.stringify(status));
  if (isDeepStrictEqual(present, wanted)) return;
  await client.updateStatus(ref, { ...object, status: wanted });
}

/** Creates an object with its status. An existing object is not changed. */
export async function ensureObject(
  client: ClusterClient,
  ref: ResourceRef,
  object: KubeObject,
): Promise<void> {
  const { status } = object;
  const created = await createUnlessPresent(client, ref, object);
  if (status === undefined) return;
  // Writes the status separately, because creation drops it for kinds with a status subresource. This also
  // repairs an object after a crash between the two writes.
  const present = created ?? (await client.get(ref, object.metadata));
  if (Object.keys(recordAt(present, "status")).length === 0)
    await client.updateStatus(ref, { ...present, status });
}

/** Deletes an object. A missing object is no error. */
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
