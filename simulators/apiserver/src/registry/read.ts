import { failures, type StatusError } from "@keelson/apimachinery";
import type { RegistryContext } from "../resources/registry-context.ts";
import { type ServedResource, subjectOf } from "../resources/served-resource.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { awaitRevision } from "./await-revision.ts";
import { prepare, present } from "./present.ts";

/**
 * Returns the object with a key, including writes that are not durable yet.
 * @throws StatusError 404
 */
export function getObject({ store }: RegistryContext, resource: ServedResource, key: string): StoredObject {
  const stored = store.get(resource.bucket, key);
  if (!stored) throw notFound(resource, key);
  return stored;
}

function notFound(resource: ServedResource, key: string): StatusError {
  return failures.notFound(subjectOf(resource), key.slice(key.indexOf("/") + 1));
}

/** Returns the durable object with a key, in the resource's version. Undefined if it does not exist. */
export async function findObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
): Promise<StoredObject | undefined> {
  const found = context.store.getDurable(resource.bucket, key);
  if (!found) return undefined;
  await prepare(context, resource, [found]);
  return present(resource, found);
}

/**
 * Returns the durable object with a key, in the resource's version.
 * @throws StatusError 404, 504
 */
export async function readObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
  notOlderThan = 0,
): Promise<StoredObject> {
  if (notOlderThan > context.store.head) await awaitRevision(context, notOlderThan);
  const found = await findObject(context, resource, key);
  if (!found) throw notFound(resource, key);
  return found;
}
