import { failures, type StatusError } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { present } from "./present.ts";
import type { RegistryContext } from "./registry-context.ts";
import { type ServedResource, subjectOf } from "./served-resource.ts";

/** The stored object at a key. @throws StatusError 404 */
export function getObject({ store }: RegistryContext, resource: ServedResource, key: string): StoredObject {
  const stored = store.get(resource.bucket, key);
  if (!stored) throw notFound(resource, key);
  return stored;
}

function notFound(resource: ServedResource, key: string): StatusError {
  return failures.notFound(subjectOf(resource), key.slice(key.indexOf("/") + 1));
}

/** The object as its version shows it, once it is durable. @throws StatusError 404, 504 */
export async function readObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
  notOlderThan = 0,
): Promise<StoredObject> {
  const { store } = context;
  if (notOlderThan > store.head) throw failures.tooLargeRevision(notOlderThan, store.head);
  const found = store.get(resource.bucket, key);
  // That an object is gone must be as durable as that it is there.
  await store.settled();
  if (!found) throw notFound(resource, key);
  return present(resource, found);
}
