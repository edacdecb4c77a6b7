import { failures } from "../status/status-error.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { awaitRevision } from "./await-revision.ts";
import { matches } from "./list.ts";
import type { ListQuery } from "./list-query.ts";
import { prepare, presenter } from "./present.ts";
import type { RegistryContext } from "./registry-context.ts";
import type { ServedResource } from "./served-resource.ts";

/** What a watcher is told. `initialEventsEnd`: all that existed at the start has been told. */
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
  /** The state at the start, as far as it is still to be told, the last object first. */
  /** What there was at the start, until it is first read. */
  #state: readonly StoredObject[] | undefined;
  #initial: StoredObject[] = [];
  #endMark: boolean;
  #revision: number;

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
    this.#state = fromState ? store.rangeAt(resource.bucket, this.#prefix, this.#revision) : undefined;
    this.#endMark = sendInitialEvents === true && query.bookmarks;
  }

  /** The revision up to which everything has been told, once the initial state has. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * What happened since the last call, at most `maxEvents` of it; the current state first, where the query asks for
   * it. `undefined` when there is nothing more.
   * @throws StatusError 410
   */
  read(maxEvents: number): readonly WatchFrame[] | undefined {
    if (this.#state) {
      this.#initial = this.#shownState(this.#state).toReversed();
      this.#state = undefined;
    }
    if (this.#initial.length > 0) {
      const some = this.#initial.splice(-maxEvents).toReversed();
      return some.map((stored): WatchFrame => ({ type: "ADDED", stored }));
    }
    if (this.#endMark) {
      this.#endMark = false;
      return [{ type: "BOOKMARK", revision: this.#revision, initialEventsEnd: true }];
    }
    const { store } = this.#context;
    const events = store.eventsAfter(this.#resource.bucket, this.#revision);
    if (!events) throw failures.expired(`too old resource version: ${this.#revision} (${store.compacted})`);
    if (events.length === 0) return undefined;
    const next = events.length > maxEvents ? events.slice(0, maxEvents) : events;
    this.#revision = next.at(-1)?.revision ?? this.#revision;
    return next.flatMap((event) => this.#frameOf(event) ?? []);
  }

  /**
   * Converts what `read` gives next, where a webhook does that; `undefined` when `read` may be called at once.
   * @throws StatusError 500
   */
  prepare(maxEvents: number): Promise<void> | undefined {
    if (!this.#resource.custom?.conversion) return undefined;
    const events = () => this.#context.store.eventsAfter(this.#resource.bucket, this.#revision) ?? [];
    const next =
      this.#state ??
      (this.#initial.length > 0
        ? []
        : events()
            .slice(0, maxEvents)
            .flatMap(({ current, previous }) => (previous ? [current, previous] : [current])));
    return prepare(this.#context, this.#resource, next);
  }

  /**
   * Takes the store's newest durable revision for its own, so that a bookmark may say it: nothing of this resource
   * changed up to there. False while there is something to read first.
   */
  skipToHead(): boolean {
    const { store } = this.#context;
    const unread = store.eventsAfter(this.#resource.bucket, this.#revision);
    if (this.#state || this.#initial.length > 0 || this.#endMark || unread?.length !== 0) return false;
    this.#revision = Math.max(this.#revision, store.head);
    return true;
  }

  /** Calls `wake` when there may be something to read. Returns how to stop. */
  subscribe(wake: () => void): () => void {
    return this.#context.store.subscribe(this.#resource.bucket, wake);
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
