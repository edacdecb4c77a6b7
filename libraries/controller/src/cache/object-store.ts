import type { KubeObject, ObjectKey } from "@keelson/kube";

/** Returns the values under which an index contains an object. For an empty list, the index does not contain the object. */
export type Indexer<T> = (object: T) => readonly string[];

const everywhere = "";

/**
 * Last known objects of one resource, by namespace, name and indexes. An object is replaced only by an object with a newer
 * revision. Revisions of one resource are ordered (KEP-5504), so writes of this process can be added before its watch receives
 * them.
 */
export class ObjectStore<T extends KubeObject> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  /**
   * Indexes by name. Undefined if the resource has no index. This saves memory, because a process may have thousands of
   * resources, mostly without indexes.
   */
  #indexes: Map<string, Index<T>> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: ObjectKey): T | undefined {
    return this.#namespaces.get(key.namespace ?? everywhere)?.get(key.name);
  }

  /** Returns the objects of a namespace. Default: all namespaces. */
  list(namespace?: string): readonly T[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    return [...this.#namespaces.values()].flatMap((objects) => [...objects.values()]);
  }

  /**
   * Returns the objects with this value in index `name`.
   * @throws Error for an unknown index
   */
  by(name: string, value: string): readonly T[] {
    const index = this.#indexes?.get(name);
    if (!index) throw new Error(`there is no index ${JSON.stringify(name)}`);
    return [...(index.members.get(value) ?? [])];
  }

  addIndex(name: string, indexer: Indexer<T>): void {
    const index: Index<T> = { indexer, members: new Map() };
    this.#indexes ??= new Map();
    this.#indexes.set(name, index);
    for (const object of this.list()) insert(index, object);
  }

  /**
   * Stores an object and returns the previously stored object. `news` is false if the stored object has the same or a newer
   * revision, and was therefore not replaced.
   */
  put(object: T): { readonly news: boolean; readonly before: T | undefined } {
    const { namespace = everywhere, name } = object.metadata;
    let objects = this.#namespaces.get(namespace);
    const before = objects?.get(name);
    if (before && !isNewer(object, before)) return { news: false, before };
    if (!objects) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    objects.set(name, object);
    if (!before) this.#size += 1;
    for (const index of this.#indexes?.values() ?? []) {
      if (before) take(index, before);
      insert(index, object);
    }
    return { news: true, before };
  }

  /** Removes an object and returns it. Undefined if the stored object is newer. */
  remove(object: T): T | undefined {
    const { namespace = everywhere, name } = object.metadata;
    const objects = this.#namespaces.get(namespace);
    const present = objects?.get(name);
    if (!objects || !present || isNewer(present, object)) return undefined;
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#size -= 1;
    for (const index of this.#indexes?.values() ?? []) take(index, present);
    return present;
  }
}

interface Index<T> {
  readonly indexer: Indexer<T>;
  readonly members: Map<string, Set<T>>;
}

function insert<T>({ indexer, members }: Index<T>, object: T): void {
  for (const value of indexer(object)) {
    const present = members.get(value);
    if (present) present.add(object);
    else members.set(value, new Set([object]));
  }
}

function take<T>({ indexer, members }: Index<T>, object: T): void {
  for (const value of indexer(object)) {
    const present = members.get(value);
    present?.delete(object);
    if (present?.size === 0) members.delete(value);
  }
}

function isNewer(object: KubeObject, than: KubeObject): boolean {
  const [a, b] = [object, than].map(({ metadata }) => metadata.resourceVersion ?? "");
  return compareRevisions(a ?? "", b ?? "") > 0;
}

/**
 * Compares revisions as decimal numbers of any length. Returns a negative number, zero or a positive number. If one of them is
 * not a number, `a` counts as newer.
 */
export function compareRevisions(a: string, b: string): number {
  if (a === b) return 0;
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return 1;
  return a.length - b.length || (a < b ? -1 : 1);
}
