import type { Clock, Logger } from "@keelson/base";
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
import type { StepLogRecord } from "./step-log.ts";
import { type StepLogStore, StepLogs } from "./step-logs.ts";

/** Journal entry: the state of one step in one operation. A finished step never runs again. */
export interface StepRecord extends Document {
  /** `{operationId}.{step}` */
  readonly id: string;
  readonly operationId: string;
  readonly step: string;
  readonly state: "running" | "finished" | "failed";
  /** Number of starts of the step. */
  readonly attempt: number;
  /** Worker and lease generation of the last start. */
  readonly worker: string;
  readonly generation: number;
  /** Number of acquisitions of the leased document since it entered the queue, counted when this entry was written. */
  readonly dequeues?: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly error?: string;
}

export type StepChange =
  | { readonly step: string; readonly state: "running" | "finished" }
  | { readonly step: string; readonly state: "failed"; readonly error: string };

/** Progress of an operation, as reported to its clients. */
export interface Progress {
  /** Running steps. Some include their current activity. */
  readonly running: readonly string[];
  readonly completedSteps: number;
  readonly totalSteps: number;
  /** Percentage from 0 to 99. The commit that ends the operation sets it to 100. */
  readonly percentComplete: number;
}

/** Storage of journal entries and progress in documents of the application. All these documents are in one partition. */
export interface JournalStore<
  Entry extends StepRecord,
  Operation extends Document = never,
  Log extends StepLogRecord = StepLogRecord,
> {
  readonly database: Pick<Database<never>, "commit">;
  readonly partitionKey: string;
  readonly operationId: string;
  /**
   * Collection of the entries. Its definition must declare the key `operationId`, by which the journal finds the entries of an
   * operation.
   */
  readonly entries: Collection<Entry>;
  /** Converts a step record to an entry with the application's additional fields. */
  entryOf(record: StepRecord): Entry;
  /** Storage of the steps' log lines. Default: log lines are not stored. */
  readonly logs?: StepLogStore<Log>;
  /** Storage of the progress. The document's ID is the `operationId`. */
  readonly progress?: {
    readonly operations: Collection<Operation>;
    withProgress(operation: Operation, progress: Progress): Operation;
  };
}

export interface JournalDeps {
  readonly guard: LeaseGuard;
  readonly clock: Clock;
}

/** Journal methods that a graph run uses. */
export interface StepJournal {
  readonly finishedSteps: ReadonlySet<string>;
  /** Returns the number of starts of `step`. */
  attemptOf(step: string): number;
  /**
   * Returns a logger for a step. The next call of `write` stores the lines that were logged. `onLine` is called for each line.
   */
  loggerOf?(step: string, logger: Logger, onLine: () => void): Logger;
  /**
   * Writes step changes and the operation's progress in one commit.
   * @throws LeaseLost, RunInterrupted
   */
  write(changes: readonly StepChange[], progress: Progress, signal: AbortSignal): Promise<void>;
}

const entriesPerPage = 500;

/**
 * Journal of an operation's steps in the database. Only the lease holder writes it. Writes must not be concurrent: callers wait
 * for `write`.
 */
export class Journal<
  Entry extends StepRecord,
  Operation extends Document = never,
  Log extends StepLogRecord = StepLogRecord,
> implements StepJournal
{
  readonly #store: JournalStore<Entry, Operation, Log>;
  readonly #deps: JournalDeps;
  readonly #entries = new Map<string, Stored<Entry>>();
  readonly #logs: StepLogs<Log> | undefined;
  #operation: Stored<Operation> | undefined;

  constructor(store: JournalStore<Entry, Operation, Log>, deps: JournalDeps) {
    this.#store = store;
    this.#deps = deps;
    this.#logs = store.logs && new StepLogs(store.logs, store, deps.clock);
  }

  /** Reads the entries of earlier runs. */
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
    await this.#logs?.load(signal);
    this.#operation = await progress?.operations.find(partitionKey, operationId, signal);
    return this;
  }

  get finishedSteps(): ReadonlySet<string> {
    const finished = [...this.#entries.values()].filter(({ document }) => document.state === "finished");
    return new Set(finished.map(({ document }) => document.step));
  }

  /**
   * Number of the document's acquisitions since a step last finished, including the current one. Acquisitions that ended without
   * a fault of the operation do not count.
   */
  get attemptsWithoutProgress(): number {
    const productive = [...this.#entries.values()]
      .filter(({ document }) => document.state === "finished")
      .map(({ document }) => document.dequeues ?? 0);
    const last = Math.max(0, ...productive);
    const { attempt, survivedLosses } = this.#deps.guard;
    return attempt - last - survivedLosses.filter((lost) => lost > last).length;
  }

  attemptOf(step: string): number {
    return this.#entries.get(step)?.document.attempt ?? 0;
  }

  loggerOf(step: string, logger: Logger, onLine: () => void): Logger {
    return this.#logs?.loggerOf(step, logger, onLine) ?? logger;
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

  /** Tries to commit. Returns false if a document has changed since it was read. */
  async #tryToWrite(
    changes: readonly StepChange[],
    progress: Progress,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { database, partitionKey, operationId, progress: shownIn } = this.#store;
    const entries = changes.map((change) => this.#store.entryOf(this.#recordOf(change)));
    const operation = this.#operation;
    // Skips the progress if the operation's document has expired.
    const shown = operation && shownIn?.withProgress(operation.document, progress);
    const writes = entries.map((each) => this.#entryWrite(each));
    const logs = this.#logs?.unsaved() ?? [];
    for (const log of logs) if (this.#logs) writes.push(this.#logs.writeOf(log));
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
    logs.forEach((log, index) => {
      this.#logs?.saved(log, result.etags[entries.length + index] ?? "");
    });
    const etag = result.etags[entries.length + logs.length];
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
