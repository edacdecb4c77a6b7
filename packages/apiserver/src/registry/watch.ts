import { failures } from "../status/status-error.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { matches } from "./list.ts";
import type { ListQuery } from "./list-query.ts";
import { present } from "./present.ts";
import type { RegistryContext } from "./registry-context.ts";
import type { ServedResource } from "./served-resource.ts";

/** What a watcher is told. `initialEventsEnd`: all that existed at the start has been told. */
export type WatchFrame =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly stored: StoredObject }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly initialEventsEnd: boolean };

/**
 * A place in the history of a resource. It holds no events itself: a reader that is slow costs nothing, and finds
 * its place compacted one day.
 */
export class ObjectWatch {
  readonly #context: RegistryContext;
  readonly #resource: ServedResource;
  readonly #query: ListQuery;
  #initial: readonly WatchFrame[];
  #revision: number;

  /** @throws StatusError 410 when the history does not reach back to the query's revision. */
  constructor(context: RegistryContext, resource: ServedResource, query: ListQuery) {
    const { store } = context;
    this.#context = context;
    this.#resource = resource;
    this.#query = query;
    const { revision = 0, sendInitialEvents } = query;
    const fromState = sendInitialEvents ?? revision === 0;
    this.#revision = fromState || revision === 0 ? store.head : revision;
    if (revision > store.head || this.#revision < store.compacted) {
      throw failures.expired(`too old resource version: ${revision} (${store.compacted})`);
    }
    this.#initial = fromState ? this.#currentState(sendInitialEvents === true) : [];
  }

  /** The revision up to which everything has been told. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * What happened since the last call, at most `maxEvents` of it; the current state first, where the query asks for
   * it. `undefined` when there is nothing more.
   * @throws StatusError 410
   */
  read(maxEvents: number): readonly WatchFrame[] | undefined {
    const initial = this.#initial;
    this.#initial = [];
    if (initial.length > 0) return initial;
    const { store } = this.#context;
    const events = store.eventsAfter(this.#resource.bucket, this.#revision);
    if (!events) throw failures.expired(`too old resource version: ${this.#revision} (${store.compacted})`);
    const next = events.slice(0, maxEvents);
    this.#revision = next.at(-1)?.revision ?? this.#revision;
    return next.length > 0 ? next.flatMap((event) => this.#frameOf(event) ?? []) : undefined;
  }

  /** Nothing of this resource changed up to the store's newest durable revision: bookmarks may say so. */
  skipToHead(): void {
    this.#revision = Math.max(this.#revision, this.#context.store.durable);
  }

  /** Calls `wake` when there may be something to read. Returns how to stop. */
  subscribe(wake: () => void): () => void {
    return this.#context.store.subscribe(this.#resource.bucket, wake);
  }

  #currentState(endMark: boolean): readonly WatchFrame[] {
    const { store } = this.#context;
    const { bucket } = this.#resource;
    const prefix = this.#query.namespace ? `${this.#query.namespace}/` : "";
    const shown = store.range(bucket, prefix).map((stored) => present(this.#resource, stored));
    const added = shown
      .filter((stored) => matches(this.#query, stored))
      .map((stored): WatchFrame => ({ type: "ADDED", stored }));
    const end: WatchFrame = { type: "BOOKMARK", revision: this.#revision, initialEventsEnd: true };
    return endMark ? [...added, end] : added;
  }

  #frameOf(event: StoreEvent): WatchFrame | undefined {
    const { current, previous, deleted } = event;
    const { namespace } = this.#query;
    if (namespace && !current.key.startsWith(`${namespace}/`)) return undefined;
    const shown = present(this.#resource, current);
    const was = previous !== undefined && this.#selects(present(this.#resource, previous));
    const is = !deleted && this.#selects(shown);
    if (is) return { type: was ? "MODIFIED" : "ADDED", stored: shown };
    if (!was || !previous) return undefined;
    const last = deleted ? shown : present(this.#resource, previous).atRevision(event.revision);
    return { type: "DELETED", stored: last };
  }

  #selects(shown: StoredObject): boolean {
    const { labels, fields } = this.#query;
    return (labels.length === 0 && fields.length === 0) || matches(this.#query, shown);
  }
}
