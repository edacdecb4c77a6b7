import { failures, sharedTurns } from "@keelson/apimachinery";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { awaitRevision } from "./await-revision.ts";
import { candidates, matches } from "./list.ts";
import type { ListQuery } from "./list-query.ts";
import { prepare, presenter } from "./present.ts";

/**
 * Maximum number of selector terms that a watch evaluates without yielding to other requests. The maximum is low, because each
 * change wakes all watches.
 */
const lightTerms = 16;
/** Maximum number of selector terms that one read evaluates. */
const selectedTerms = 20_000;

/** Event or marker in a watch stream. `initialEventsEnd` follows the last initial object. */
export type WatchFrame =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly stored: StoredObject }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly initialEventsEnd: boolean };

/**
 * Starts a watch at the query's revision.
 * @throws StatusError 410, 504
 */
export async function startWatch(
  context: RegistryContext,
  resource: ServedResource,
  query: ListQuery,
): Promise<ObjectWatch> {
  if (query.sendInitialEvents) await awaitRevision(context, query.revision ?? 0);
  return new ObjectWatch(context, resource, query);
}

/**
 * Watch of a resource, implemented as a position in the history. It buffers no events, so a slow reader needs no memory. If the
 * position is compacted, the watch fails.
 */
export class ObjectWatch {
  readonly #context: RegistryContext;
  readonly #resource: ServedResource;
  readonly #query: ListQuery;
  readonly #selective: boolean;
  readonly #prefix: string;
  /** Initial objects. Undefined after the last object has been read. */
  #state: readonly StoredObject[] | undefined;
  /** Index of the next initial object to read. */
  #at = 0;
  #endMark: boolean;
  #revision: number;
  /** Number of reads since the watch was last up to date. */
  #reads = 0;
  #hasTurn = false;

  /** @throws StatusError 410 if the history does not include the query's revision */
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
    // A revision above the store's newest revision comes from an earlier store, so the client must list again.
    if (revision > store.head || this.#revision < store.compacted) {
      throw failures.expired(`too old resource version: ${revision} (${store.compacted})`);
    }
    const state = fromState ? candidates(context, resource, query, this.#revision) : [];
    this.#state = state.length > 0 ? state : undefined;
    this.#endMark = sendInitialEvents === true && query.bookmarks;
  }

  /** Revision up to which the reader has received all changes. The reader receives changes only after all initial objects. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Returns the next events, at most `maxEvents`. Requested initial objects come first. Returns an empty list if the examined
   * events do not match the query, and undefined if no events are left to examine.
   * @throws StatusError 410
   */
  read(maxEvents: number): readonly WatchFrame[] | undefined {
    this.#hasTurn = false;
    const next = this.#next(maxEvents);
    this.#reads = next ? this.#reads + 1 : 0;
    return next;
  }

  /**
   * Prepares the next `read`. If the read is long, other requests may run first. Calls the conversion webhook if needed. Returns
   * undefined if `read` may be called immediately.
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

  /** Advances to the newest durable revision, for a bookmark. Returns false if this resource has unread events. */
  skipToHead(): boolean {
    const { store } = this.#context;
    if (this.#hasMore() || store.compacted > this.#revision) return false;
    this.#revision = Math.max(this.#revision, store.head);
    return true;
  }

  /** Calls `wake` when new events may be available. Returns a function that unsubscribes. */
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

  /** Returns the initial objects for one read. */
  #stateAt(maxEvents: number): readonly StoredObject[] | undefined {
    return this.#state?.slice(this.#at, this.#at + this.#atOnce(maxEvents));
  }

  /** Returns the changes for one read. */
  #events(maxEvents: number): readonly StoreEvent[] | undefined {
    const { store } = this.#context;
    return store.eventsAfter(this.#resource.bucket, this.#revision, this.#atOnce(maxEvents));
  }

  /** Returns the maximum number of objects for one read. Long selectors have a lower maximum. */
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
