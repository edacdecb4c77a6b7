import {
  KubeError,
  type KubeList,
  type KubeObject,
  type KubeResource,
  type WatchEvent,
  type WatchOptions,
} from "@keelson/kube";

/** Entry of the history: a new object state or a deletion. */
interface HistoryEntry {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
}

/** Fault of the next watch or list. */
export type ScriptedFault =
  | { readonly kind: "fails"; readonly code: number }
  /** The stream ends after this number of events. */
  | { readonly kind: "ends"; readonly after: number }
  | { readonly kind: "breaks"; readonly after: number };

/** Fake list and watch API of one resource. A test writes its history, compacts it and injects faults. */
export class ScriptedApi {
  readonly calls = { lists: 0, watches: 0 };
  /** Status code with which the server rejects a streaming list. Undefined if the server supports streaming lists. */
  refusesStreams: number | undefined;
  readonly faults: ScriptedFault[] = [];
  readonly #objects = new Map<string, KubeObject>();
  #history: HistoryEntry[] = [];
  #revision = 1;
  #forgotten = 0;
  #changed = Promise.withResolvers<void>();

  get objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  write(name: string, data: string): KubeObject {
    const type = this.#objects.has(name) ? "MODIFIED" : "ADDED";
    const object = this.#object(name, data);
    this.#objects.set(name, object);
    this.#record({ revision: this.#revision, type, object });
    return object;
  }

  remove(name: string): void {
    const before = this.#objects.get(name);
    if (!before) return;
    this.#objects.delete(name);
    const object = this.#object(name, "");
    this.#record({
      revision: this.#revision,
      type: "DELETED",
      object: { ...before, metadata: object.metadata },
    });
  }

  /** Expires all revisions before the current one, so that no watch can start from them. */
  compact(): void {
    this.#forgotten = this.#revision;
    this.#history = [];
  }

  async list<T extends KubeObject>(resource: KubeResource<T>): Promise<KubeList<T>> {
    this.calls.lists += 1;
    const fault = this.faults.shift();
    if (fault?.kind === "fails") throw new KubeError(fault.code, "Scripted", `${resource.plural} fail`);
    return { items: this.objects as readonly T[], resourceVersion: `${this.#revision}` };
  }

  async *watch<T extends KubeObject>(
    resource: KubeResource<T>,
    { resourceVersion, sendInitialEvents }: WatchOptions,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    this.calls.watches += 1;
    const fault = this.faults.shift();
    if (fault?.kind === "fails") throw new KubeError(fault.code, "Scripted", `${resource.plural} fail`);
    if (sendInitialEvents && this.refusesStreams !== undefined)
      throw new KubeError(this.refusesStreams, "Refused", "no streaming lists");
    let left = fault ? fault.after : Number.POSITIVE_INFINITY;
    for (const event of this.#events(resourceVersion, signal)) {
      const next = await event;
      if (!next || left-- <= 0) break;
      yield next as WatchEvent<T>;
    }
    if (fault?.kind === "breaks") throw new KubeError(0, "Unreachable", "the connection broke");
    signal.throwIfAborted();
  }

  /**
   * Yields a promise for each event of a watch, one after another. A promise resolves to `undefined` after the signal has
   * aborted.
   */
  *#events(from: string | undefined, signal: AbortSignal): Generator<Promise<WatchEvent | undefined>> {
    let at = Number(from ?? this.#revision);
    if (from === undefined) {
      for (const object of this.objects) yield Promise.resolve({ type: "ADDED", object });
      yield Promise.resolve({ type: "BOOKMARK", resourceVersion: `${at}`, initialEventsEnd: true });
    }
    while (!signal.aborted) {
      if (at < this.#forgotten) throw new KubeError(410, "Expired", "too old resource version");
      const next = this.#history.find(({ revision }) => revision > at);
      if (!next) {
        yield this.#nextChange(signal);
        continue;
      }
      at = next.revision;
      yield Promise.resolve({ type: next.type, object: next.object });
    }
  }

  /** Waits for a change of the history. Returns a bookmark, so that the caller reads the history again. */
  async #nextChange(signal: AbortSignal): Promise<WatchEvent | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    const at = this.#revision;
    await Promise.race([promise, this.#changed.promise]);
    if (signal.aborted) return undefined;
    return { type: "BOOKMARK", resourceVersion: `${at}`, initialEventsEnd: false };
  }

  #object(name: string, data: string): KubeObject {
    this.#revision += 1;
    const metadata = { name, namespace: "default", uid: name, resourceVersion: `${this.#revision}` };
    return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { data } };
  }

  #record(entry: HistoryEntry): void {
    this.#history.push(entry);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
