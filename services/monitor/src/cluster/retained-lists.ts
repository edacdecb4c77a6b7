import type { Clock } from "@keelson/base";
import type { KubeChanges, KubeClient, KubeObject, KubeResource, ListSelection } from "@keelson/kube";
import { SharedValues } from "./shared-values.ts";

/**
 * Maximum size of the retained objects of all clusters, in bytes of JSON. A cluster without workloads has 100 KB. The heap needs 0.5 to
 * 1.6 times this size, depending on the number of equal parts.
 */
const defaultTotalBytes = 256 * 2 ** 20;
/** Maximum size of the retained objects of one cluster, in bytes of JSON. */
const clusterBytes = 2 ** 20;
/** Minimum and maximum time in ms after which a list is read completely, even if all changes are known. */
const completeAfterMs = [45 * 60_000, 75 * 60_000] as const;

export interface RetainedListsOptions {
  readonly clock: Clock;
  readonly totalBytes?: number;
  /** Random number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Reads the lists of one cluster. */
export interface ListReader {
  /** Returns all selected objects, ordered by namespace and name. */
  list(
    kube: KubeClient,
    resource: KubeResource,
    selection: ListSelection,
    signal: AbortSignal,
  ): Promise<readonly KubeObject[]>;
}

/** Reads each list completely. */
export const completeLists: ListReader = {
  list: async (kube, resource, selection, signal) => (await kube.list(resource, selection, signal)).items,
};

/** List of a cluster. The fields belong together, so a list is only replaced as a whole. */
interface RetainedList {
  readonly objects: ReadonlyMap<string, KubeObject>;
  readonly resourceVersion: string;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

/**
 * Retains the lists of clusters between collections, reduced to the fields that collectors read. The next collection then reads
 * only the changes. If the total size is exhausted, the lists of further clusters are not retained, and each collection reads them
 * completely.
 */
export class RetainedLists {
  readonly #options: Required<RetainedListsOptions>;
  readonly #clusters = new Map<string, Map<string, RetainedList>>();
  readonly #values = new SharedValues();
  #bytes = 0;

  constructor(options: RetainedListsOptions) {
    this.#options = { totalBytes: defaultTotalBytes, random: Math.random, ...options };
  }

  /** Size of the retained objects in bytes of JSON. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the reader for a cluster. Its lists are retained until `forget` is called for the cluster. */
  of(clusterId: string): ListReader {
    const lists = this.#clusters.get(clusterId) ?? new Map<string, RetainedList>();
    this.#clusters.set(clusterId, lists);
    return {
      list: async (kube, resource, selection, signal) => {
        const { group, plural } = resource;
        const name = [group, plural, selection.namespace, selection.fieldSelector].join("\0");
        const known = lists.get(name);
        if (known && known.expiresAtMs > this.#options.clock.monotonicMs()) {
          const share = (object: KubeObject) => this.#values.share(object);
          const changed = await changedList(known, kube, resource, { selection, share }, signal);
          if (changed) {
            this.#retain(clusterId, lists, name, changed);
            return [...changed.objects.values()];
          }
        }
        if (known) this.#remove(clusterId, lists, name);
        const { items, resourceVersion } = await kube.list(resource, selection, signal);
        const [least, most] = completeAfterMs;
        const afterMs = least + (most - least) * this.#options.random();
        this.#retain(clusterId, lists, name, {
          objects: new Map(items.map((item) => [keyOf(item), this.#values.share(item)])),
          resourceVersion,
          bytes: items.reduce((sum, item) => sum + sizeOf(item), 0),
          expiresAtMs: this.#options.clock.monotonicMs() + afterMs,
        });
        return items;
      },
    };
  }

  forget(clusterId: string): void {
    const lists = this.#clusters.get(clusterId);
    if (!lists) return;
    for (const name of [...lists.keys()]) this.#remove(clusterId, lists, name);
    this.#clusters.delete(clusterId);
  }

  #retain(clusterId: string, lists: Map<string, RetainedList>, name: string, list: RetainedList): void {
    this.#remove(clusterId, lists, name);
    // A collection may still run after `forget` was called for its cluster.
    if (this.#clusters.get(clusterId) !== lists) return;
    const ofCluster = lists.values().reduce((sum, { bytes }) => sum + bytes, 0);
    if (ofCluster + list.bytes > clusterBytes || this.#bytes + list.bytes > this.#options.totalBytes) return;
    lists.set(name, list);
    this.#bytes += list.bytes;
  }

  #remove(clusterId: string, lists: Map<string, RetainedList>, name: string): void {
    const known = lists.get(name);
    if (!known || !lists.delete(name)) return;
    if (this.#clusters.get(clusterId) === lists) this.#bytes -= known.bytes;
  }
}

/** Returns the list with the changes since its last read. Returns undefined if the changes cannot be read. */
async function changedList(
  known: RetainedList,
  kube: KubeClient,
  resource: KubeResource,
  {
    selection,
    share,
  }: { readonly selection: ListSelection; readonly share: (object: KubeObject) => KubeObject },
  signal: AbortSignal,
): Promise<RetainedList | undefined> {
  const { resourceVersion } = known;
  let read: KubeChanges;
  try {
    read = await kube.changes(resource, { ...selection, resourceVersion }, signal);
  } catch {
    // The complete list reports the error if it persists.
    signal.throwIfAborted();
    return undefined;
  }
  if (isOlder(read.resourceVersion, resourceVersion)) return undefined;
  if (read.changes.length === 0) return { ...known, resourceVersion: read.resourceVersion };
  const objects = new Map(known.objects);
  let { bytes } = known;
  let isAdded = false;
  for (const { type, object } of read.changes) {
    const key = keyOf(object);
    const before = objects.get(key);
    if (before) bytes -= sizeOf(before);
    else isAdded = true;
    if (type === "deleted") objects.delete(key);
    else {
      objects.set(key, share(object));
      bytes += sizeOf(object);
    }
  }
  const ordered = isAdded
    ? new Map([...objects].sort(([first], [second]) => (first < second ? -1 : 1)))
    : objects;
  return { ...known, objects: ordered, bytes, resourceVersion: read.resourceVersion };
}

/**
 * Returns true if a revision is older than another revision. An older revision is from an API server that lags behind, or from a
 * restored cluster.
 */
function isOlder(revision: string, than: string): boolean {
  const isNumber = /^\d{1,20}$/;
  return isNumber.test(revision) && isNumber.test(than) && BigInt(revision) < BigInt(than);
}

function keyOf({ metadata: { namespace = "", name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

function sizeOf(object: KubeObject): number {
  return JSON.stringify(object).length;
}
