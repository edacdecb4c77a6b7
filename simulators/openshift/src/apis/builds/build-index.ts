import { stringAt } from "@keelson/base";
import { type Cache, type Change, type Informer, metadataOnly } from "@keelson/controller";
import type { KubeObject, ObjectKey } from "@keelson/kube";
import { builds, configOf, isParallel, isTerminal, numberOf, phaseOf } from "./build-refs.ts";

type Outcome = "complete" | "failed";
type List = "waiting" | Outcome;

interface Entry {
  readonly name: string;
  /** Sort keys, the most significant one first. Entries with equal keys are sorted by name. */
  readonly order: readonly [number, number];
}

interface ConfigBuilds {
  /** Number of serial builds that have started and have not ended. */
  started: number;
  /** Name of the serial build that may start now. */
  next: string | undefined;
  readonly lists: Readonly<Record<List, Entry[]>>;
}

interface Place extends Entry {
  readonly list: List | "started";
}

/** Reduces a cached build to its metadata and phase. */
export function withPhase(build: KubeObject): KubeObject {
  return { ...metadataOnly(build), status: { phase: stringAt(build, "status", "phase") ?? "" } };
}

/**
 * Builds of each BuildConfig: the queue of serial builds and the ended builds. A watch of the builds updates the index. The next
 * build and the oldest builds are therefore found without a list request.
 */
export class BuildIndex {
  readonly #configs = new Map<string, ConfigBuilds>();
  #nextListeners: readonly ((build: ObjectKey) => void)[] = [];
  #endListeners: readonly ((config: ObjectKey) => void)[] = [];

  constructor(informer: Pick<Informer, "subscribe">) {
    informer.subscribe((change) => this.#apply(change));
  }

  /** Calls the listener with each serial build that may start. */
  onNext(listener: (build: ObjectKey) => void): void {
    this.#nextListeners = [...this.#nextListeners, listener];
  }

  /** Calls the listener with the BuildConfig of each build that ends. */
  onEnded(listener: (config: ObjectKey) => void): void {
    this.#endListeners = [...this.#endListeners, listener];
  }

  /** True if no earlier build of the same BuildConfig must end first. */
  mayStart(build: KubeObject): boolean {
    const config = configOf(build);
    if (config === undefined || isParallel(build)) return true;
    return this.#configs.get(textOf(config))?.next === build.metadata.name;
  }

  /** Returns the names of the oldest ended builds of a BuildConfig, except the newest `keep` builds. At most `limit` names. */
  oldest(config: ObjectKey, outcome: Outcome, keep: number, limit: number): readonly string[] {
    const ended = this.#configs.get(textOf(config))?.lists[outcome] ?? [];
    return ended.slice(0, Math.min(limit, Math.max(0, ended.length - keep))).map(({ name }) => name);
  }

  #apply({ type, object, before }: Change): void {
    const [was, is] = [before && configOf(before), type === "deleted" ? undefined : configOf(object)];
    const [left, entered] = [before && placeOf(before), is && placeOf(object)];
    if (was && left) this.#leave(was, left);
    if (is && entered) {
      this.#enter(is, entered);
      const isEnd = entered.list === "complete" || entered.list === "failed";
      if (isEnd && entered.list !== left?.list) for (const listener of this.#endListeners) listener(is);
    }
    if (was) this.#wake(was);
    if (is) this.#wake(is);
  }

  #enter(config: ObjectKey, { list, ...entry }: Place): void {
    const text = textOf(config);
    let ofConfig = this.#configs.get(text);
    if (!ofConfig) {
      ofConfig = { started: 0, next: undefined, lists: { waiting: [], complete: [], failed: [] } };
      this.#configs.set(text, ofConfig);
    }
    if (list === "started") ofConfig.started += 1;
    else ofConfig.lists[list].splice(indexIn(ofConfig.lists[list], entry), 0, entry);
  }

  #leave(config: ObjectKey, { list, ...entry }: Place): void {
    const ofConfig = this.#configs.get(textOf(config));
    if (!ofConfig) return;
    if (list === "started") ofConfig.started -= 1;
    else ofConfig.lists[list].splice(indexIn(ofConfig.lists[list], entry), 1);
  }

  /**
   * Reports the next build of a BuildConfig if it is a different build than before. Removes a BuildConfig without builds from the
   * index.
   */
  #wake(config: ObjectKey): void {
    const text = textOf(config);
    const ofConfig = this.#configs.get(text);
    if (!ofConfig) return;
    const { lists, started } = ofConfig;
    const next = started === 0 ? lists.waiting[0]?.name : undefined;
    const isNew = next !== ofConfig.next;
    ofConfig.next = next;
    if (started === 0 && Object.values(lists).every(({ length }) => length === 0)) this.#configs.delete(text);
    if (!isNew || next === undefined) return;
    const { namespace } = config;
    const build = { name: next, ...(namespace === undefined ? {} : { namespace }) };
    for (const listener of this.#nextListeners) listener(build);
  }
}

const indexes = new WeakMap<Cache, BuildIndex>();

/** Returns the index of the cache's builds. */
export function buildIndexOf(cache: Cache): BuildIndex {
  const present = indexes.get(cache);
  if (present) return present;
  const created = new BuildIndex(cache.informer(builds, { strip: withPhase }));
  indexes.set(cache, created);
  return created;
}

/** Returns the place of a build in its BuildConfig. `undefined` for active parallel builds and builds in deletion. */
function placeOf(build: KubeObject): Place | undefined {
  const { name, creationTimestamp = "", deletionTimestamp } = build.metadata;
  if (deletionTimestamp) return undefined;
  const number = numberOf(build);
  const phase = phaseOf(build);
  if (isTerminal(build)) {
    const created = Date.parse(creationTimestamp) || 0;
    return { name, list: phase === "Complete" ? "complete" : "failed", order: [created, number] };
  }
  if (isParallel(build)) return undefined;
  return { name, list: phase === "New" ? "waiting" : "started", order: [number, 0] };
}

/** Returns the place of an entry in a sorted list (binary search). */
function indexIn(entries: readonly Entry[], entry: Entry): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle];
    if (other && compare(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: Entry, b: Entry): number {
  const byOrder = a.order[0] - b.order[0] || a.order[1] - b.order[1];
  if (byOrder !== 0 || a.name === b.name) return byOrder;
  return a.name < b.name ? -1 : 1;
}

function textOf({ namespace = "", name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
