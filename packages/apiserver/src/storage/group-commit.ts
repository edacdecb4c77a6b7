import { failures } from "../status/status-error.ts";
import type { Journal, JournalRecord } from "./journal.ts";

/** A change on its way to the journal, and what to do when it is there or cannot be. */
export interface PendingChange {
  readonly record: JournalRecord;
  committed(): void;
  undone(): void;
}

interface Batch {
  readonly changes: PendingChange[];
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Makes all changes of one turn of the event loop, of all clusters, durable in one transaction. */
export class GroupCommit {
  readonly #journal: Journal;
  #batch: Batch | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Resolves when the change is durable; rejects with a StatusError 500 when it was undone. */
  enqueue(change: PendingChange): Promise<void> {
    this.#batch ??= this.#open();
    this.#batch.changes.push(change);
    return this.#batch.done;
  }

  /** Resolves when everything enqueued so far is durable: a reader waits for it before it shows what it read. */
  settled(): Promise<void> {
    return this.#batch?.done ?? Promise.resolve();
  }

  /** Commits at once what waits. */
  flush(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    try {
      this.#journal.append(batch.changes.map((change) => change.record));
    } catch (error) {
      for (const change of batch.changes.toReversed()) change.undone();
      batch.reject(
        failures.internal(error, "Internal error occurred: the storage did not accept the change"),
      );
      return;
    }
    for (const change of batch.changes) change.committed();
    batch.resolve();
  }

  #open(): Batch {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A writer that went away must not turn a failed commit into an unhandled rejection.
    promise.catch(() => undefined);
    setImmediate(() => this.flush());
    return { changes: [], done: promise, resolve, reject };
  }
}
