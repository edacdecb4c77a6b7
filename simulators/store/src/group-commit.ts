import type { Journal, JournalRecord } from "./journal.ts";

/** A change on its way to the journal. */
export interface PendingChange {
  readonly record: JournalRecord;
  readonly owner: ChangeOwner;
}

/** Whose change it is; called in the order of the revisions. */
export interface ChangeOwner {
  /** Everything up to the revision is durable. */
  committed(revision: number): void;
  /** The change of this revision, the newest that was not yet durable, was not accepted and never will be. */
  undone(revision: number): void;
}

interface Batch {
  readonly changes: PendingChange[];
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes changes durable, many in one transaction: those of one turn of the event loop, and all that come while the
 * transaction before them is under way.
 */
export class GroupCommit {
  readonly #journal: Journal;
  readonly #failureOf: (error: unknown) => unknown;
  #open: Batch | undefined;
  #underWay: Batch | undefined;

  /** `failureOf` gives writers an error of their own for the journal's. */
  constructor(journal: Journal, failureOf: (error: unknown) => unknown = (error) => error) {
    this.#journal = journal;
    this.#failureOf = failureOf;
  }

  /** Resolves when the change is durable; rejects when it was undone. */
  enqueue(change: PendingChange): Promise<void> {
    this.#open ??= this.#begin();
    this.#open.changes.push(change);
    return this.#open.done;
  }

  /** Resolves when everything enqueued so far is durable; rejects when some of it was undone. */
  settled(): Promise<void> {
    return (this.#open ?? this.#underWay)?.done ?? Promise.resolve();
  }

  #begin(): Batch {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A writer that went away must not turn a failed commit into an unhandled rejection.
    promise.catch(() => undefined);
    if (!this.#underWay) setImmediate(() => this.#commit());
    return { changes: [], done: promise, resolve, reject };
  }

  #commit(): void {
    const batch = this.#open;
    if (!batch || this.#underWay) return;
    this.#open = undefined;
    this.#underWay = batch;
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
    this.#underWay = undefined;
    const newest = new Map<ChangeOwner, number>();
    for (const { owner, record } of batch.changes) newest.set(owner, record.revision);
    batch.resolve();
    for (const [owner, revision] of newest) owner.committed(revision);
    this.#commit();
  }

  /** What came after the batch was built on it, and goes with it. */
  #fail(batch: Batch, error: unknown): void {
    const later = this.#open;
    this.#open = undefined;
    this.#underWay = undefined;
    const changes = [...batch.changes, ...(later?.changes ?? [])];
    for (const { owner, record } of changes.toReversed()) owner.undone(record.revision);
    const failure = this.#failureOf(error);
    batch.reject(failure);
    later?.reject(failure);
  }
}
