import { failures } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { present } from "./present.ts";
import type { RegistryContext } from "./registry-context.ts";
import { type ServedResource, subjectOf } from "./served-resource.ts";

/** The stored object at a key. @throws StatusError 404 */
export function getObject({ store }: RegistryContext, resource: ServedResource, key: string): StoredObject {
  const stored = store.get(resource.bucket, key);
  if (!stored) throw failures.notFound(subjectOf(resource), key.slice(key.indexOf("/") + 1));
  return stored;
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
  const found = present(resource, getObject(context, resource, key));
  await store.settled();
  return found;
}
