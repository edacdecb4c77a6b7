import type { Clock } from "@keelson/base";
import {
  type Collection,
  create,
  type Database,
  type Document,
  replace,
  type Stored,
  type Write,
} from "@keelson/database";
import { workflowErrors } from "./errors.ts";
import { writeGuarded } from "./guarded-write.ts";
import type { LeaseGuard } from "./lease-guard.ts";

/** An entry as it is stored: one step of one operation. A finished step is never run again. */
export interface StepRecord extends Document {
  /** `{operationId}.{step}` */
  readonly id: string;
  readonly operationId: string;
  readonly step: string;
  readonly state: "running" | "finished" | "failed";
  /** How often the step was started. */
  readonly attempt: number;
  /** Worker and lease generation of the last start. */
  readonly worker: string;
  readonly generation: number;
  /** Which acquisition of the leased document that was, since it entered the queue. */
  readonly dequeues?: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly error?: string;
}

export type StepChange =
  | { readonly step: string; readonly state: "running" | "finished" }
  | { readonly step: string; readonly state: "failed"; readonly error: string };

/** How far the whole operation is, as those who wait for it see it. */
export interface Progress {
  /** The steps running now, some with what they are at. */
  readonly running: readonly string[];
  readonly completedSteps: number;
  readonly totalSteps: number;
  /** 0 to 99: only the operation's end makes it 100. */
  readonly percentComplete: number;
}

/** Where an operation's entries and its progress are kept: in the application's own documents, of one partition. */
export interface JournalStore<Entry extends StepRecord, Operation extends Document = never> {
  readonly database: Pick<Database<never>, "commit">;
  readonly partitionKey: string;
  readonly operationId: string;
  /** Has the key `operationId`. */
  readonly entries: Collection<Entry>;
  /** The entry with what the application stores besides. */
  entryOf(record: StepRecord): Entry;
  /** Where the progress is shown: the document whose ID is the `operationId`. */
  readonly progress?: {
    readonly operations: Collection<Operation>;
    withProgress(operation: Operation, progress: Progress): Operation;
  };
}

export interface JournalDeps {
  readonly guard: LeaseGuard;
  readonly clock: Clock;
}

/** What running a graph needs of its journal. */
export interface StepJournal {
  readonly finishedSteps: ReadonlySet<string>;
  /** How often `step` was started. */
  attemptOf(step: string): number;
  /**
   * Writes changes and the operation's progress in one commit.
   * @throws LeaseLost, RunInterrupted
   */
  write(changes: readonly StepChange[], progress: Progress, signal: AbortSignal): Promise<void>;
}

const entriesPerPage = 500;

/**
 * What the steps of one operation have reached, in the database. Only one worker writes it, under its lease,
 * and never two entries at a time: callers wait for `write`.
 */
export class Journal<Entry extends StepRecord, Operation extends Document = never> implements StepJournal {
  readonly #store: JournalStore<Entry, Operation>;
  readonly #deps: JournalDeps;
  readonly #entries = new Map<string, Stored<Entry>>();
  #operation: Stored<Operation> | undefined;

  constructor(store: JournalStore<Entry, Operation>, deps: JournalDeps) {
    this.#store = store;
    this.#deps = deps;
  }

  /** Reads what earlier runs have written. */
  async load(signal: AbortSignal): Promise<this> {
    const { partitionKey, operationId, entries, progress } = this.#store;
    let continuation: string | undefined;
    do {
      const page = await entries.list(
        {
          partitionKey,
          where: { operationId },
          limit: entriesPerPage,
          continuation,
        },
        signal,
      );
      for (const stored of page.items) this.#entries.set(stored.document.step, stored);
      continuation = page.continuation;
    } while (continuation !== undefined);
    this.#operation = await progress?.operations.find(partitionKey, operationId, signal);
    return this;
  }

  get finishedSteps(): ReadonlySet<string> {
    const finished = [...this.#entries.values()].filter(({ document }) => document.state === "finished");
    return new Set(finished.map(({ document }) => document.step));
  }

  /** How often the leased document was acquired since an acquisition in which a step finished, this one included. */
  get attemptsWithoutProgress(): number {
    const productive = [...this.#entries.values()]
      .filter(({ document }) => document.state === "finished")
      .map(({ document }) => document.dequeues ?? 0);
    return this.#deps.guard.attempt - Math.max(0, ...productive);
  }

  attemptOf(step: string): number {
    return this.#entries.get(step)?.document.attempt ?? 0;
  }

  async write(changes: readonly StepChange[], progress: Progress, signal: AbortSignal): Promise<void> {
    const isWritten = await writeGuarded({
      ...this.#deps,
      signal,
      tryToWrite: () => this.#tryToWrite(changes, progress, signal),
      reload: () => this.load(signal),
    });
    if (isWritten) return;
    throw workflowErrors.RunInterrupted(`the journal of operation ${this.#store.operationId} is contended`);
  }

  /** False when a document has changed since it was read. */
  async #tryToWrite(
    changes: readonly StepChange[],
    progress: Progress,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { database, partitionKey, operationId, progress: shownIn } = this.#store;
    const entries = changes.map((change) => this.#store.entryOf(this.#recordOf(change)));
    const operation = this.#operation;
    // An operation's document may have expired.
    const shown = operation && shownIn?.withProgress(operation.document, progress);
    const writes = entries.map((each) => this.#entryWrite(each));
    if (shown && shownIn) writes.push(replace(shownIn.operations, operation, shown));
    if (writes.length === 0) return true;
    const result = await database.commit(partitionKey, writes, { lease: this.#deps.guard.lease, signal });
    if (result.kind === "lease-lost") {
      throw workflowErrors.LeaseLost(`the lease of operation ${operationId} was lost`);
    }
    if (result.kind !== "committed") return false;
    entries.forEach((document, index) => {
      this.#entries.set(document.step, { document, etag: result.etags[index] ?? "" });
    });
    const etag = result.etags[entries.length];
    if (shown && etag !== undefined) this.#operation = { document: shown, etag };
    return true;
  }

  #recordOf(change: StepChange): StepRecord {
    const { operationId, partitionKey } = this.#store;
    const { lease, attempt: dequeues } = this.#deps.guard;
    const now = this.#deps.clock.now().toISOString();
    const before = this.#entries.get(change.step)?.document;
    const started = {
      id: `${operationId}.${change.step}`,
      partitionKey,
      operationId,
      step: change.step,
      worker: lease.owner,
      generation: lease.generation,
      dequeues,
    };
    if (change.state === "running") {
      return { ...started, state: "running", attempt: (before?.attempt ?? 0) + 1, startedAt: now };
    }
    return {
      ...started,
      state: change.state,
      attempt: before?.attempt ?? 1,
      startedAt: before?.startedAt ?? now,
      finishedAt: now,
      ...(change.state === "failed" ? { error: change.error } : {}),
    };
  }

  #entryWrite(entry: Entry): Write {
    const { entries } = this.#store;
    const stored = this.#entries.get(entry.step);
    return stored ? replace(entries, stored, entry) : create(entries, entry);
  }
}
