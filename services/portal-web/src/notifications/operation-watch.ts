/** Running operation that the person watches, in order to be notified of its end. */
export interface WatchedOperation {
  readonly id: string;
  /** Lower-case resource ID of the cluster. */
  readonly resourceId: string;
  readonly kind: string;
}

/** Message about the end of a watched operation. */
export interface Notice {
  /** ID of the operation. */
  readonly id: string;
  readonly title: string;
  /** Path of the operation's page. Undefined after the deletion of the cluster. */
  readonly path?: string;
  readonly isFailure: boolean;
}

/** State of an operation in an event or in the list of operations. */
export interface OperationState {
  readonly id: string;
  readonly state: string;
}

interface Snapshot {
  readonly watched: readonly WatchedOperation[];
  readonly notices: readonly Notice[];
}

const maxWatched = 50;
const maxNotices = 5;
const ended: readonly string[] = ["Succeeded", "Failed", "Canceled"];

/**
 * Watched operations of this browser tab, and notices about operations that have ended. Listeners are called after each change.
 */
export class OperationWatch {
  readonly #save: (watched: readonly WatchedOperation[]) => void;
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot;

  /** @param save Stores the watched operations, so that they survive a reload of the page. */
  constructor(stored: string | null, save: (watched: readonly WatchedOperation[]) => void) {
    this.#save = save;
    this.#snapshot = { watched: parseWatched(stored), notices: [] };
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts or stops watching an operation. If too many operations are watched, the oldest are dropped. */
  toggle(operation: WatchedOperation): void {
    const { watched } = this.#snapshot;
    const others = watched.filter(({ id }) => id !== operation.id);
    const next = others.length < watched.length ? others : [...others, operation].slice(-maxWatched);
    this.#change({ watched: next });
  }

  /** Processes the state of an operation. Returns the notice if a watched operation has ended. */
  observe({ id, state }: OperationState): Notice | undefined {
    const operation = this.#snapshot.watched.find((each) => each.id === id);
    if (!operation || !ended.includes(state)) return undefined;
    const notice = noticeOf(operation, state);
    this.#change({
      watched: this.#snapshot.watched.filter((each) => each.id !== id),
      notices: [...this.#snapshot.notices, notice].slice(-maxNotices),
    });
    return notice;
  }

  dismiss(id: string): void {
    this.#change({ notices: this.#snapshot.notices.filter((each) => each.id !== id) });
  }

  #change(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    if (change.watched) this.#save(change.watched);
    for (const listener of this.#listeners) listener();
  }
}

const nouns: Readonly<Record<string, string>> = {
  Creating: "Creation",
  Updating: "Update",
  AdminUpdating: "Administrative update",
  Deleting: "Deletion",
};

function noticeOf({ id, resourceId, kind }: WatchedOperation, state: string): Notice {
  const name = resourceId.split("/").at(-1) ?? "";
  const isDeletion = kind === "Deleting" && state === "Succeeded";
  const words: Readonly<Record<string, string>> = { Succeeded: "succeeded", Failed: "failed" };
  return {
    id,
    title: `${nouns[kind] ?? kind} of ${name} ${words[state] ?? "was canceled"}`,
    ...(isDeletion ? {} : { path: `${resourceId}/timeline?${new URLSearchParams({ operation: id })}` }),
    isFailure: state !== "Succeeded",
  };
}

function parseWatched(stored: string | null): readonly WatchedOperation[] {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter(isWatched).slice(-maxWatched) : [];
  } catch {
    return [];
  }
}

function isWatched(value: unknown): value is WatchedOperation {
  if (typeof value !== "object" || value === null) return false;
  return ["id", "resourceId", "kind"].every(
    (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "string",
  );
}
