import { aborted, type Clock, type Logger } from "@keelson/base";
import {
  apiVersionOf,
  type KubeApi,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  type Selection,
} from "@keelson/kube";
import { Informer, type InformerOptions } from "./informer.ts";
import { type Strip, withoutManagedFields } from "./strip-fields.ts";

export interface CacheOptions {
  readonly api: Pick<KubeApi, "list" | "watch">;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Returns the function that reduces the objects of a resource before they are cached. An `InformerRequest` may override it.
   * Default: `withoutManagedFields`.
   */
  readonly strip?: ((resource: KubeResource) => Strip<KubeObject>) | undefined;
  /** Maximum number of objects per resource. Default: 250,000. */
  readonly maxObjects?: number | undefined;
}

export interface InformerRequest<T extends KubeObject> {
  /** Objects that the informer caches. Default: all objects. Requests with the same resource and selection share one informer. */
  readonly selection?: Selection;
  /** Reduces objects before they are cached. Default: the function in the cache's options. */
  readonly strip?: Strip<T>;
}

interface Entry {
  readonly informer: Informer;
  readonly resource: KubeResource;
  readonly selection: Selection;
  readonly strip: unknown;
}

/** Informers of one API server. Requests with the same resource and selection share an informer. */
export class Cache {
  readonly #options: CacheOptions;
  readonly #entries = new Map<string, Entry>();
  /** Starts an informer that is created while `run` is active. Undefined while `run` is not active. */
  #start: ((informer: Informer) => void) | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  get informers(): readonly Informer[] {
    return [...this.#entries.values()].map(({ informer }) => informer);
  }

  /**
   * Returns the informer for a resource and selection.
   * @throws Error if the same objects are already cached with a different `strip`
   */
  informer<T extends KubeObject>(
    resource: KubeResource<T>,
    { selection = {}, ...request }: InformerRequest<T> = {},
  ): Informer<T> {
    const strip: Strip<T> = request.strip ?? this.#stripOf(resource);
    const name = nameOf(resource, selection);
    const present = this.#entries.get(name);
    if (present && present.strip !== strip)
      throw new Error(`the ${resource.plural} are cached with other fields already`);
    // The map key includes the resource, and the resource determines the object type. The cast is therefore safe.
    if (present) return present.informer as unknown as Informer<T>;
    const { api, clock, logger, maxObjects = 250_000 } = this.#options;
    const options: InformerOptions<T> = { api, resource, selection, strip, maxObjects, clock, logger };
    const informer = new Informer(options);
    this.#entries.set(name, { informer: informer as unknown as Informer, resource, selection, strip });
    this.#start?.(informer as unknown as Informer);
    return informer;
  }

  /** Returns the cached object. Undefined if no informer contains the object. */
  find(resource: KubeResource, key: ObjectKey): KubeObject | undefined {
    for (const { informer } of this.#covering(resource, key)) {
      const object = informer.get(key);
      if (object) return object;
    }
    return undefined;
  }

  /**
   * Returns an object's state if the cache knows it. In the result, `object` is undefined for an object that does not exist. The
   * result is undefined if no synced informer caches complete objects of the resource, so that only the server has the state.
   */
  known(resource: KubeResource, key: ObjectKey): { readonly object: KubeObject | undefined } | undefined {
    for (const { informer, selection, strip } of this.#covering(resource, key))
      if (strip === withoutManagedFields && informer.hasSynced && selection.labelSelector === undefined)
        return { object: informer.get(key) };
    return undefined;
  }

  /** Updates the cache after this process has written an object. Adds the object to every informer that may contain it. */
  written(resource: KubeResource, object: KubeObject): void {
    // An informer with a label selector receives only new states of objects that it already contains. If the new labels no longer
    // match the selector, the informer's watch reports the removal.
    for (const { informer, selection } of this.#covering(resource, object.metadata))
      if (selection.labelSelector === undefined || informer.get(object.metadata)) informer.written(object);
  }

  /** Updates the cache after this process has deleted an object. Removes the object from all informers that contain it. */
  removed(resource: KubeResource, object: KubeObject): void {
    for (const { informer } of this.#covering(resource, object.metadata)) informer.removed(object);
  }

  /** Runs all informers until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const running: Promise<void>[] = [];
    this.#start = (informer) => void running.push(informer.run(signal));
    for (const informer of this.informers) this.#start(informer);
    await aborted(signal);
    this.#start = undefined;
    await Promise.all(running);
  }

  /** Resolves when every requested informer has synced. */
  async synced(): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.synced()));
  }

  /** Returns the informers with a selection that may include the object. Labels are not compared. */
  *#covering(resource: KubeResource, { namespace, name }: ObjectKey): Generator<Entry> {
    const type = typeOf(resource);
    for (const entry of this.#entries.values()) {
      const { namespace: within, fieldSelector } = entry.selection;
      if (typeOf(entry.resource) !== type || (within !== undefined && within !== namespace)) continue;
      if (fieldSelector === undefined || fieldSelector === `metadata.name=${name}`) yield entry;
    }
  }

  /** Returns the default strip function of the resource. The function accepts any object and preserves its type. */
  #stripOf<T extends KubeObject>(resource: KubeResource): Strip<T> {
    return (this.#options.strip?.(resource) ?? withoutManagedFields) as unknown as Strip<T>;
  }
}

function nameOf(resource: KubeResource, { namespace, labelSelector, fieldSelector }: Selection): string {
  return JSON.stringify([typeOf(resource), namespace, labelSelector, fieldSelector]);
}

function typeOf(resource: KubeResource): string {
  return `${apiVersionOf(resource)}/${resource.plural}`;
}
