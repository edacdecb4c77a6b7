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
  /** What is kept of a resource's objects where a request does not say; `withoutManagedFields` when absent. */
  readonly strip?: ((resource: KubeResource) => Strip<KubeObject>) | undefined;
  /** Of each resource; 250,000 when absent. */
  readonly maxObjects?: number | undefined;
}

export interface InformerRequest<T extends KubeObject> {
  /** Everything when absent. Requests of one resource with one selection share an informer. */
  readonly selection?: Selection;
  /** The cache's own for the resource when absent. */
  readonly strip?: Strip<T>;
}

interface Entry {
  readonly informer: Informer;
  readonly resource: KubeResource;
  readonly selection: Selection;
  readonly strip: unknown;
}

/** The shared informers of one API server: one for each resource and selection. */
export class Cache {
  readonly #options: CacheOptions;
  readonly #entries = new Map<string, Entry>();
  /** From `run` on: what is asked for later starts at once. */
  #start: ((informer: Informer) => void) | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  get informers(): readonly Informer[] {
    return [...this.#entries.values()].map(({ informer }) => informer);
  }

  /** @throws Error when the same objects were asked for with other fields */
  informer<T extends KubeObject>(
    resource: KubeResource<T>,
    { selection = {}, ...request }: InformerRequest<T> = {},
  ): Informer<T> {
    const strip: Strip<T> = request.strip ?? this.#stripOf(resource);
    const name = nameOf(resource, selection);
    const present = this.#entries.get(name);
    if (present && present.strip !== strip)
      throw new Error(`the ${resource.plural} are cached with other fields already`);
    // Entries are by resource, which says the type of its objects.
    if (present) return present.informer as unknown as Informer<T>;
    const { api, clock, logger, maxObjects = 250_000 } = this.#options;
    const options: InformerOptions<T> = { api, resource, selection, strip, maxObjects, clock, logger };
    const informer = new Informer(options);
    this.#entries.set(name, { informer: informer as unknown as Informer, resource, selection, strip });
    this.#start?.(informer as unknown as Informer);
    return informer;
  }

  /** The object, where an informer whose selection covers it has it. */
  find(resource: KubeResource, key: ObjectKey): KubeObject | undefined {
    for (const { informer } of this.#covering(resource, key)) {
      const object = informer.get(key);
      if (object) return object;
    }
    return undefined;
  }

  /**
   * What an informer that keeps whole objects knows of this one, its absence included. `undefined` where none covers
   * it: then only the server knows.
   */
  known(resource: KubeResource, key: ObjectKey): { readonly object: KubeObject | undefined } | undefined {
    for (const { informer, selection, strip } of this.#covering(resource, key))
      if (strip === withoutManagedFields && informer.hasSynced && selection.labelSelector === undefined)
        return { object: informer.get(key) };
    return undefined;
  }

  /** Puts what this process wrote into the informers that hold it. */
  written(resource: KubeResource, object: KubeObject): void {
    // What a label selects may have ceased to fit: its watch says so.
    for (const { informer, selection } of this.#covering(resource, object.metadata))
      if (selection.labelSelector === undefined || informer.get(object.metadata)) informer.written(object);
  }

  /** Takes what this process deleted, and knows to be gone, out of the informers that hold it. */
  removed(resource: KubeResource, object: KubeObject): void {
    for (const { informer } of this.#covering(resource, object.metadata)) informer.removed(object);
  }

  /** Runs all informers until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    // Each runs until then.
    const running: Promise<void>[] = [];
    this.#start = (informer) => void running.push(informer.run(signal));
    for (const informer of this.informers) this.#start(informer);
    await aborted(signal);
    this.#start = undefined;
    await Promise.all(running);
  }

  /** Resolves when every informer so far has synced. */
  async synced(): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.synced()));
  }

  /** The informers of the resource that may hold the object, as far as its name and namespace say. */
  *#covering(resource: KubeResource, { namespace, name }: ObjectKey): Generator<Entry> {
    const type = typeOf(resource);
    for (const entry of this.#entries.values()) {
      const { namespace: within, fieldSelector } = entry.selection;
      if (typeOf(entry.resource) !== type || (within !== undefined && within !== namespace)) continue;
      if (fieldSelector === undefined || fieldSelector === `metadata.name=${name}`) yield entry;
    }
  }

  /** It takes any object and keeps its type. */
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
