import type { Journal, JournalRecord } from "./journal.ts";

/** Change that is not yet written to the journal. */
export interface PendingChange {
  readonly record: JournalRecord;
  readonly owner: ChangeOwner;
}

/** Owner of changes. Called in the order of revisions. */
export interface ChangeOwner {
  /** All changes up to the revision are durable. */
  committed(revision: number): void;
  /** The journal rejected the change of this revision, the newest one that is not durable. */
  undone(revision: number): void;
}

interface Batch {
  readonly changes: PendingChange[];
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes changes durable in group commits. A transaction contains the changes of one turn of the event loop,
 * or all changes during the previous transaction.
 */
export class GroupCommit {
  readonly #journal: Journal;
  readonly #failureOf: (error: unknown) => unknown;
  #open: Batch | undefined;
  #committing: Batch | undefined;

  /** `failureOf` converts the journal's error to one for writers. */
  constructor(journal: Journal, failureOf: (error: unknown) => unknown = (error) => error) {
    this.#journal = journal;
    this.#failureOf = failureOf;
  }

  /** Resolves when the change is durable. Rejects if it was undone. */
  enqueue(change: PendingChange): Promise<void> {
    this.#open ??= this.#begin();
    this.#open.changes.push(change);
    return this.#open.done;
  }

  /** Resolves when all enqueued changes are durable. Rejects if some of them were undone. */
  settled(): Promise<void> {
    return (this.#open ?? this.#committing)?.done ?? Promise.resolve();
  }

  #begin(): Batch {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A failed commit without waiting writers must not cause an unhandled rejection.
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
    for (const [owner, revision] of newest) owner.committed(revision);
    this.#commit();
  }

  /** Undoes the batch and all later changes, which are based on it. */
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
