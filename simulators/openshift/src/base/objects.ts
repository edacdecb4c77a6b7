import { isDeepStrictEqual } from "node:util";
import type { ClusterClient, KubeObject, ObjectKey, ResourceRef } from "@keelson/apiserver";
import { recordAt } from "./fields.ts";
import { hasReason } from "./status-reason.ts";

/** Replaces the status, unless it is already as wanted. A conflict throws and the caller's key is tried again. */
export async function writeStatus(
  client: ClusterClient,
  ref: ResourceRef,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Promise<void> {
  const present = recordAt(object, "status");
  if (isDeepStrictEqual(present, status)) return;
  // A round trip through JSON drops undefined members, which are no difference on the wire.
  const wanted: unknown = JSON.parse(JSON.stringify(status));
  if (isDeepStrictEqual(present, wanted)) return;
  await client.updateStatus(ref, { ...object, status: wanted });
}

/** Creates an object with its status, if no object of its name exists. An object that exists stays as it is. */
export async function ensureObject(
  client: ClusterClient,
  ref: ResourceRef,
  object: KubeObject,
): Promise<void> {
  const { status } = object;
  const created = await createUnlessPresent(client, ref, object);
  if (status === undefined) return;
  // Creation drops the status of kinds whose status is a resource of its own. A crash before it is written
  // leaves an object without: it gets it now.
  const present = created ?? (await client.get(ref, object.metadata));
  if (Object.keys(recordAt(present, "status")).length === 0)
    await client.updateStatus(ref, { ...present, status });
}

/** Deletes an object; one that is already gone is as good as deleted. */
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
