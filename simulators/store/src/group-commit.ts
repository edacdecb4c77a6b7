import type { Journal, JournalRecord } from "./journal.ts";

/** Change that the journal does not contain yet. */
export interface PendingChange {
  readonly record: JournalRecord;
  readonly owner: ChangeOwner;
}

/** Receives the results of its changes in revision order. */
export interface ChangeOwner {
  /** Called when all changes up to the revision are durable. */
  committed(revision: number): void;
  /**
   * Called when the change of this revision could not be stored, or when a change before it could not be stored. Changes are
   * undone from newest to oldest.
   */
  undone(revision: number): void;
}

interface Batch {
  readonly changes: PendingChange[];
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes changes to the journal in group commits. A transaction starts at the end of an event loop iteration and contains all
 * changes so far. Changes that arrive during a transaction form the next transaction.
 */
export class GroupCommit {
  readonly #journal: Journal;
  readonly #failureOf: (error: unknown) => unknown;
  readonly #report: (error: unknown) => void;
  #open: Batch | undefined;
  #committing: Batch | undefined;

  /**
   * `failureOf` converts a journal error to the error that writers receive. `report` logs errors of owners and listeners. By
   * default, `report` emits a process warning.
   */
  constructor(
    journal: Journal,
    failureOf: (error: unknown) => unknown = (error) => error,
    report: (error: unknown) => void = warn,
  ) {
    this.#journal = journal;
    this.#failureOf = failureOf;
    this.#report = report;
  }

  /**
   * Runs a callback of an owner or listener. An error of the callback is only reported and does not fail the commit, because
   * other owners share the commit.
   */
  isolate(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#report(error);
    }
  }

  /** Resolves when the change is durable. Rejects if the change was undone. */
  enqueue(change: PendingChange): Promise<void> {
    this.#open ??= this.#begin();
    this.#open.changes.push(change);
    return this.#open.done;
  }

  /** Resolves when all enqueued changes are durable. Rejects if a change was undone. */
  settled(): Promise<void> {
    return (this.#open ?? this.#committing)?.done ?? Promise.resolve();
  }

  #begin(): Batch {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Without this handler, a failed commit would cause an unhandled rejection if no writer waits for the commit.
    promise.catch(() => undefined);
    if (!this.#committing) setImmediate(() => this.#commit());
    return { changes: [], done: promise, resolve, reject };
  }

  #commit(): void {
    const batch = this.#open;
    if (!batch || this.#committing) return;
    this.#open = undefined;
    this.#committing = batch;
    try {
      const written = this.#journal.append(batch.changes.map(({ record }) => record));
      if (!written) this.#succeed(batch);
      else
        written.then(
          () => this.#succeed(batch),
          (error: unknown) => this.#fail(batch, error),
        );
    } catch (error) {
      this.#fail(batch, error);
    }
  }

  #succeed(batch: Batch): void {
    this.#committing = undefined;
    const newest = new Map<ChangeOwner, number>();
    for (const { owner, record } of batch.changes) newest.set(owner, record.revision);
    batch.resolve();
    for (const [owner, revision] of newest) this.isolate(() => owner.committed(revision));
    this.#commit();
  }

  /** Undoes the failed batch and all later changes because later changes depend on the batch. */
  #fail(batch: Batch, error: unknown): void {
    const later = this.#open;
    this.#open = undefined;
    this.#committing = undefined;
    const changes = [...batch.changes, ...(later?.changes ?? [])];
    for (const { owner, record } of changes.toReversed()) owner.undone(record.revision);
    const failure = this.#failureOf(error);
    batch.reject(failure);
    later?.reject(failure);
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
