import type { KubeObject, ObjectKey } from "@keelson/apiserver";

/** Values by which objects of a cache are found; `undefined` leaves an object out. */
export type Indexers = Readonly<Record<string, (object: KubeObject) => string | undefined>>;

/**
 * The objects of one resource as last seen. A newer version replaces an older one and never the other way round, so
 * that what a controller wrote itself can be put in at once and the watch catches up later.
 */
export class ObjectCache {
  readonly #objects = new Map<string, KubeObject>();
  readonly #indexes: ReadonlyMap<string, Map<string, Map<string, KubeObject>>>;
  readonly #indexers: Indexers;

  constructor(indexers: Indexers = {}) {
    this.#indexers = indexers;
    this.#indexes = new Map(Object.keys(indexers).map((name) => [name, new Map()]));
  }

  get(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(cacheKey(key));
  }

  list(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** The objects whose index `name` has this value. */
  by(name: string, value: string): readonly KubeObject[] {
    return [...(this.#indexes.get(name)?.get(value)?.values() ?? [])];
  }

  /** Gives what was there before; `undefined` too when `object` is no news. */
  put(object: KubeObject): { readonly news: boolean; readonly before: KubeObject | undefined } {
    const key = cacheKey(object.metadata);
    const before = this.#objects.get(key);
    if (before && revision(before) >= revision(object)) return { news: false, before };
    if (before) this.#unindex(key, before);
    this.#objects.set(key, object);
    for (const [name, indexer] of Object.entries(this.#indexers)) {
      const value = indexer(object);
      if (value === undefined) continue;
      const index = this.#indexes.get(name);
      const members = index?.get(value) ?? new Map<string, KubeObject>();
      index?.set(value, members.set(key, object));
    }
    return { news: true, before };
  }

  /** Unless a newer object took its place. */
  remove(object: KubeObject): void {
    const key = cacheKey(object.metadata);
    const present = this.#objects.get(key);
    if (!present || revision(present) > revision(object)) return;
    this.#unindex(key, present);
    this.#objects.delete(key);
  }

  #unindex(key: string, object: KubeObject): void {
    for (const [name, indexer] of Object.entries(this.#indexers)) {
      const value = indexer(object);
      const members = value === undefined ? undefined : this.#indexes.get(name)?.get(value);
      members?.delete(key);
      if (value !== undefined && members?.size === 0) this.#indexes.get(name)?.delete(value);
    }
  }
}

function cacheKey({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function revision({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0);
}
