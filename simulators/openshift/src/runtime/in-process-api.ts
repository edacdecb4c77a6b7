import { type ClusterClient, type KubeObject, type ResourceRef, StatusError } from "@keelson/apiserver";
import {
  type KubeApi,
  KubeError,
  type KubeList,
  type KubeResource,
  type KubeObject as LibraryObject,
  type ObjectKey,
  type Selection,
  type WatchEvent,
  type WatchOptions,
} from "@keelson/kube";

/** Adapts the client of a logical cluster to the controller library without a network. */
export function inProcessApi(client: ClusterClient): Pick<KubeApi, "list" | "mergePatch" | "watch"> {
  return {
    async list<T extends LibraryObject>(resource: KubeResource<T>, selection: Selection) {
      // The resource determines the type of the returned objects.
      return (await client.list(refOf(resource), selection).catch(rethrow)) as unknown as KubeList<T>;
    },
    async mergePatch<T extends LibraryObject>(
      resource: KubeResource<T>,
      key: ObjectKey,
      patch: Readonly<Record<string, unknown>>,
    ) {
      return (await client.mergePatch(refOf(resource), key, patch).catch(rethrow)) as unknown as T;
    },
    watch<T extends LibraryObject>(resource: KubeResource<T>, options: WatchOptions, signal: AbortSignal) {
      return watchEvents(client, refOf(resource), options, signal) as AsyncIterable<WatchEvent<T>>;
    },
  };
}

async function* watchEvents(
  client: ClusterClient,
  ref: ResourceRef,
  { sendInitialEvents: _, ...options }: WatchOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const resourceVersion = options.resourceVersion ?? (yield* initialEvents(client, ref, options));
  try {
    for await (const event of client.watch(ref, { ...options, resourceVersion }, signal))
      yield event.type === "BOOKMARK" ? { ...event, initialEventsEnd: false } : event;
  } catch (error) {
    rethrow(error);
  }
}

/**
 * Yields the existing objects and the final bookmark. Returns the revision. The function is separate from the watch, so that the
 * list does not stay in memory while the watch runs.
 */
async function* initialEvents(
  client: ClusterClient,
  ref: ResourceRef,
  selection: Selection,
): AsyncGenerator<WatchEvent, string> {
  const { items, resourceVersion } = await client.list(ref, selection).catch(rethrow);
  for (const object of items as readonly KubeObject[]) yield { type: "ADDED", object };
  yield { type: "BOOKMARK", resourceVersion, initialEventsEnd: true };
  return resourceVersion;
}

function refOf({ group, version, plural }: KubeResource): ResourceRef {
  return { group, version, resource: plural };
}

function rethrow(error: unknown): never {
  if (error instanceof StatusError)
    throw new KubeError(error.code, error.reason, error.message, { cause: error });
  throw error;
}
