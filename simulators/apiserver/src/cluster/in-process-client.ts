import {
  type ClusterClient,
  inOwnTurns,
  type KubeObject,
  type ListOptions,
  type ObjectKey,
  type Phases,
  parseListParameters,
  type ResourceRef,
  type WatchEvent,
} from "@keelson/apimachinery";
import { applyMergePatch } from "@keelson/wire-formats";
import { applyToObject } from "../registry/apply.ts";
import { createObject } from "../registry/create.ts";
import { evictPod } from "../registry/evict.ts";
import { listObjects } from "../registry/list.ts";
import { type ListQuery, listQuery } from "../registry/list-query.ts";
import type { ModifiedPart } from "../registry/modified-part.ts";
import { modifyObject } from "../registry/modify.ts";
import { findObject, readObject } from "../registry/read.ts";
import { removeObject } from "../registry/remove.ts";
import { ObjectWatch, type WatchFrame } from "../registry/watch.ts";
import type { RegistryContext, WriteOptions } from "../resources/registry-context.ts";
import { keyOf, type ServedResource } from "../resources/served-resource.ts";
import type { StoredObject } from "../storage/stored-object.ts";

const pods: ResourceRef = { group: "", version: "v1", resource: "pods" };

/** Maximum number of events to read from the history in one call. */
const readAhead = 500;

/** User and options that admission receives for in-process writes. */
export type InProcessUser = Pick<WriteOptions, "user" | "dryRun" | "warn">;

/** Creates a client that bypasses the network and authorization. Default user: the administrator. */
export function inProcessClient(
  context: RegistryContext,
  closed: AbortSignal,
  as: InProcessUser = {},
): ClusterClient {
  const { directory } = context;
  const keyIn = (resource: ServedResource, { namespace, name }: ObjectKey) =>
    keyOf(resource.type.namespaced ? namespace : undefined, name);
  const get = async (ref: ResourceRef, key: ObjectKey): Promise<KubeObject> => {
    const resource = directory.get(ref);
    return (await readObject(context, resource, keyIn(resource, key))).object;
  };
  const write = (part: WrittenPart) => async (ref: ResourceRef, object: KubeObject) => {
    const resource = directory.get(ref);
    const options = { ...as, subresource: subresourceOf(part) };
    return (
      await modifyObject(context, resource, keyIn(resource, object.metadata), part, () => object, options)
    ).object;
  };
  return {
    get,
    // Uses no exception for a missing object, because controllers often request objects that do not exist.
    async find(ref, key) {
      const resource = directory.get(ref);
      return (await findObject(context, resource, keyIn(resource, key)))?.object;
    },
    async list(ref, options = {}) {
      const resource = directory.get(ref);
      const { limit = 0 } = options;
      const query = { ...queryOf(resource, options, undefined), limit };
      const { objects, revision } = await listObjects(context, resource, query);
      return { items: await inOwnTurns(parsed(objects), context.store), resourceVersion: String(revision) };
    },
    async create(ref, object) {
      const resource = directory.get(ref);
      const namespace = resource.type.namespaced ? object.metadata.namespace : undefined;
      return (await createObject(context, resource, namespace, object, as)).object;
    },
    update: write("main"),
    updateStatus: write("status"),
    replace: write("whole"),
    async mergePatch(ref, key, patch, subresource) {
      const resource = directory.get(ref);
      const change = (current: KubeObject) => applyMergePatch(current, patch);
      const part = subresource === undefined ? "main" : "status";
      const options = { ...as, subresource: subresource ?? "" };
      return (await modifyObject(context, resource, keyIn(resource, key), part, change, options)).object;
    },
    async apply(ref, object, { fieldManager, force = false, subresource }) {
      const resource = directory.get(ref);
      const { name, namespace } = object.metadata;
      const part = subresource ?? "main";
      const options = { ...as, fieldManager, force, subresource: subresourceOf(part) };
      const place = resource.type.namespaced ? namespace : undefined;
      return (await applyToObject(context, resource, place, name, part, object, options)).stored.object;
    },
    async delete(ref, key, options) {
      const resource = directory.get(ref);
      await removeObject(context, resource, keyIn(resource, key), { ...as, ...options });
    },
    async evict(pod) {
      const resource = directory.get(pods);
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod.name } };
      await evictPod(context, resource, keyIn(resource, pod), eviction, as);
    },
    watch: (ref, options, signal) => {
      const resource = directory.get(ref);
      const ends = [signal, closed, ...(resource.custom ? [resource.custom.retired] : [])];
      return watchEvents(context, resource, options, AbortSignal.any(ends));
    },
  };
}

/** Number of parsed bytes after which a list yields to other requests. */
const parsedBytes = 1_048_576;

function* parsed(objects: readonly StoredObject[]): Phases<readonly KubeObject[]> {
  const items: KubeObject[] = [];
  let bytes = 0;
  for (const each of objects) {
    if (bytes > parsedBytes) {
      bytes = 0;
      yield;
    }
    bytes += each.size;
    items.push(each.object);
  }
  return items;
}

type WrittenPart = Exclude<ModifiedPart, "finalize">;

function subresourceOf(part: WrittenPart): string {
  return part === "status" ? part : "";
}

/**
 * Yields events until the signal aborts.
 * @throws StatusError 410 if the reader's position is no longer in the history
 */
async function* watchEvents(
  context: RegistryContext,
  resource: ServedResource,
  options: ListOptions & { readonly resourceVersion?: string },
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  const watch = new ObjectWatch(context, resource, queryOf(resource, options, options.resourceVersion));
  let wake: () => void = () => undefined;
  const stop = watch.subscribe(() => wake());
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      for (;;) {
        const waiting = watch.prepare(readAhead);
        if (waiting) {
          await waiting;
          continue;
        }
        const frames = watch.read(readAhead);
        if (!frames) break;
        for (const frame of frames) {
          if (signal.aborted) return;
          yield eventOf(frame);
        }
      }
      if (!signal.aborted) await promise;
    }
  } finally {
    stop();
    signal.removeEventListener("abort", onAbort);
  }
}

function eventOf(frame: WatchFrame): WatchEvent {
  return frame.type === "BOOKMARK"
    ? { type: frame.type, resourceVersion: String(frame.revision) }
    : { type: frame.type, object: frame.stored.object };
}

function queryOf(
  resource: ServedResource,
  options: ListOptions,
  resourceVersion: string | undefined,
): ListQuery {
  const parameters: Readonly<Record<string, string | undefined>> = {
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    resourceVersion,
  };
  const namespace = resource.type.namespaced ? options.namespace : undefined;
  const read = parseListParameters((name) => parameters[name]);
  return listQuery(resource, namespace, read, resourceVersion !== undefined);
}
