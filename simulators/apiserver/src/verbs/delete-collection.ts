import { StatusError } from "@keelson/apimachinery";
import { decodeBody } from "../http/messages/decode-body.ts";
import {
  listQueryOf,
  type ResourceRequest,
  representationFor,
  sendPage,
} from "../http/resources/resource-request.ts";
import { removeOptions } from "../http/resources/write-parameters.ts";
import { listObjects } from "../registry/list.ts";
import { type RemoveOptions, removeObject } from "../registry/remove.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/**
 * Maximum number of concurrent deletions. Deletions run concurrently, because each deletion waits for the disk or for admission.
 */
const atOnce = 500;

export async function handleDeleteCollection(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  const options = removeOptions(call, await decodeBody(request));
  const page = await listObjects(cluster.context, resource, query, request.budget);
  for (let at = 0; at < page.objects.length; at += atOnce) {
    const some = page.objects.slice(at, at + atOnce);
    await Promise.all(some.map((stored) => removeOne(call, stored, options)));
  }
  await sendPage(call, representation, page);
}

async function removeOne(
  { cluster, resource }: ResourceRequest,
  { key, object }: StoredObject,
  options: RemoveOptions,
): Promise<void> {
  const { uid } = object.metadata;
  try {
    await removeObject(cluster.context, resource, key, { ...options, preconditions: uid ? { uid } : {} });
  } catch (error) {
    // A different client deleted the object first.
    if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error;
  }
}
