import { failures, sharedTurns } from "@keelson/apimachinery";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { awaitRevision } from "./await-revision.ts";
import { candidates, matches } from "./list.ts";
import type { ListQuery } from "./list-query.ts";
import { prepare, presenter } from "./present.ts";

/** Longer selectors are asked in turns only: every watch is woken by every change. */
const lightTerms = 16;
/** Terms that one read asks. */
const selectedTerms = 20_000;

/** What a watcher gets. `initialEventsEnd`: it has all that existed at the start. */
export type WatchFrame =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly stored: StoredObject }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly initialEventsEnd: boolean };

/** Begins a watch where its query says. @throws StatusError 410, 504 */
export async function startWatch(
  context: RegistryContext,
  resource: ServedResource,
  query: ListQuery,
): Promise<ObjectWatch> {
  if (query.sendInitialEvents) await awaitRevision(context, query.revision ?? 0);
  return new ObjectWatch(context, resource, query);
}

/**
 * A place in the history of a resource. It holds no events itself: a reader that is slow costs nothing, and finds
 * its place compacted one day.
 */
export class ObjectWatch {
  readonly #context: RegistryContext;
  readonly #resource: ServedResource;
  readonly #query: ListQuery;
  readonly #selective: boolean;
  readonly #prefix: string;
  /** What there was at the start, until all of it has been read; `#at` is where reading goes on. */
  #state: readonly StoredObject[] | undefined;
  #at = 0;
  #endMark: boolean;
  #revision: number;
  /** Since the watch was last up to date. */
  #reads = 0;
  #hasTurn = false;

  /** @throws StatusError 410 when the history does not reach back to the query's revision. */
  constructor(context: RegistryContext, resource: ServedResource, query: ListQuery) {
    const { store } = context;
    this.#context = context;
    this.#resource = resource;
    this.#query = query;
    this.#selective = query.labels.length > 0 || query.fields.length > 0;
    this.#prefix = query.namespace ? `${query.namespace}/` : "";
    const { revision = 0, sendInitialEvents } = query;
    const fromState = sendInitialEvents ?? revision === 0;
    this.#revision = fromState || revision === 0 ? store.head : revision;
    // A revision from the future was given by a store that is no more: who asks for it must list again.
    if (revision > store.head || this.#revision < store.compacted) {
      throw failures.expired(`too old resource version: ${revision} (${store.compacted})`);
    }
    const state = fromState ? candidates(context, resource, query, this.#revision) : [];
    this.#state = state.length > 0 ? state : undefined;
    this.#endMark = sendInitialEvents === true && query.bookmarks;
  }

  /** The revision up to which everything was sent, once the initial state was. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * What happened since the last call, at most `maxEvents` of it; the current state first, where the query asks for
   * it. Empty when nothing of it is selected, `undefined` when there is nothing more.
   * @throws StatusError 410
   */
  read(maxEvents: number): readonly WatchFrame[] | undefined {
    this.#hasTurn = false;
    const next = this.#next(maxEvents);
    this.#reads = next ? this.#reads + 1 : 0;
    return next;
  }

  /**
   * Waits for a turn, where much is to be read, and converts what `read` gives next, where a webhook does that;
   * `undefined` when `read` may be called at once.
   * @throws StatusError 500
   */
  prepare(maxEvents: number): Promise<void> | undefined {
    const isLong = this.#reads > 0 || this.#terms > lightTerms;
    if (isLong && !this.#hasTurn && this.#hasMore()) return this.#turn();
    if (!this.#resource.custom?.conversion) return undefined;
    const next =
      this.#stateAt(maxEvents) ??
      this.#events(maxEvents)?.flatMap(({ current, previous }) =>
        previous ? [current, previous] : [current],
      );
    return prepare(this.#context, this.#resource, next ?? []);
  }

  /**
   * Takes the store's newest durable revision for its own, so that a bookmark may say it: nothing of this resource
   * changed up to there. False while there is something to read first.
   */
  skipToHead(): boolean {
    const { store } = this.#context;
    if (this.#hasMore() || store.compacted > this.#revision) return false;
    this.#revision = Math.max(this.#revision, store.head);
    return true;
  }

  /** Calls `wake` when there may be something to read. Returns how to stop. */
  subscribe(wake: () => void): () => void {
    return this.#context.store.subscribe(this.#resource.bucket, wake);
  }

  get #terms(): number {
    return this.#query.labels.length + this.#query.fields.length;
  }

  #hasMore(): boolean {
    return this.#state !== undefined || this.#endMark || (this.#events(1)?.length ?? 0) > 0;
  }

  async #turn(): Promise<void> {
    await sharedTurns.wait(this.#context.store);
    this.#hasTurn = true;
  }

  #next(maxEvents: number): readonly WatchFrame[] | undefined {
    const state = this.#stateAt(maxEvents);
    if (state) {
      this.#at += state.length;
      if (this.#at === this.#state?.length) this.#state = undefined;
      return this.#shownState(state).map((stored): WatchFrame => ({ type: "ADDED", stored }));
    }
    if (this.#endMark) {
      this.#endMark = false;
      return [{ type: "BOOKMARK", revision: this.#revision, initialEventsEnd: true }];
    }
    const { compacted } = this.#context.store;
    const events = this.#events(maxEvents);
    if (!events) throw failures.expired(`too old resource version: ${this.#revision} (${compacted})`);
    if (events.length === 0) return undefined;
    this.#revision = events.at(-1)?.revision ?? this.#revision;
    return events.flatMap((event) => this.#frameOf(event) ?? []);
  }

  /** What one read takes of the state at the start. */
  #stateAt(maxEvents: number): readonly StoredObject[] | undefined {
    return this.#state?.slice(this.#at, this.#at + this.#atOnce(maxEvents));
  }

  /** What one read takes of the changes. */
  #events(maxEvents: number): readonly StoreEvent[] | undefined {
    const { store } = this.#context;
    return store.eventsAfter(this.#resource.bucket, this.#revision, this.#atOnce(maxEvents));
  }

  /** A long selector is asked about fewer objects at once. */
  #atOnce(maxEvents: number): number {
    return Math.max(1, Math.min(maxEvents, Math.floor(selectedTerms / (this.#terms + 1))));
  }

  #shownState(stored: readonly StoredObject[]): readonly StoredObject[] {
    const present = presenter(this.#resource);
    const shown = present ? stored.map(present) : stored;
    return this.#selective ? shown.filter((each) => matches(this.#query, each)) : shown;
  }

  #frameOf({ current, previous, deleted, revision }: StoreEvent): WatchFrame | undefined {
    if (!current.key.startsWith(this.#prefix)) return undefined;
    const present = presenter(this.#resource);
    const shown = present ? present(current) : current;
    const before = previous && (present ? present(previous) : previous);
    const was = before !== undefined && this.#selects(before);
    const is = !deleted && this.#selects(shown);
    if (is) return { type: was ? "MODIFIED" : "ADDED", stored: shown };
    if (!was || !before) return undefined;
    return { type: "DELETED", stored: deleted ? shown : before.atRevision(revision) };
  }

  #selects(shown: StoredObject): boolean {
    return !this.#selective || matches(this.#query, shown);
  }
}
