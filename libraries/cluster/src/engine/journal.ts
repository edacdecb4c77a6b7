import type { ResourceKey } from "@keelson/arm";
import type { Clock } from "@keelson/base";
import { create, replace, type Stored, type Write } from "@keelson/database";
import type { JournalDocument, OperationDocument, ServiceDatabase } from "@keelson/model";
import { engineErrors } from "./errors.ts";
import { writeGuarded } from "./guarded-write.ts";
import type { LeaseGuard } from "./lease-guard.ts";

export interface OperationRef {
  readonly operationId: string;
  /** Subscription ID, lower case. */
  readonly partitionKey: string;
  readonly clusterKey: ResourceKey;
}

export type JournalEntry =
  | { readonly step: string; readonly state: "running" | "finished" }
  | { readonly step: string; readonly state: "failed"; readonly error: string };

/** How far the whole operation is, as its clients see it. */
export interface Progress {
  /** The steps running now, some with what they are at. */
  readonly running: readonly string[];
  readonly completedSteps: number;
  readonly totalSteps: number;
  /** 0 to 99: only the operation's end makes it 100. */
  readonly percentComplete: number;
}

export interface JournalDeps {
  readonly database: ServiceDatabase;
  readonly guard: LeaseGuard;
  readonly clock: Clock;
}

const entriesPerPage = 500;

/**
 * What the steps of one operation have reached, in the database. Only one worker writes it, under its lease,
 * and never two entries at a time: callers wait for `write`.
 */
export class Journal {
  readonly #deps: JournalDeps;
  readonly #operation: OperationRef;
  readonly #entries = new Map<string, Stored<JournalDocument>>();
  #operationDocument: Stored<OperationDocument> | undefined;

  constructor(deps: JournalDeps, operation: OperationRef) {
    this.#deps = deps;
    this.#operation = operation;
  }

  /** Reads what earlier runs have written. */
  async load(signal: AbortSignal): Promise<this> {
    const { partitionKey, operationId } = this.#operation;
    const { journal, operations } = this.#deps.database.collections;
    let continuation: string | undefined;
    do {
      const page = await journal.list(
        {
          partitionKey,
          where: { operationId },
          limit: entriesPerPage,
          ...(continuation === undefined ? {} : { continuation }),
        },
        signal,
      );
      for (const stored of page.items) this.#entries.set(stored.document.step, stored);
      continuation = page.continuation;
    } while (continuation !== undefined);
    this.#operationDocument = await operations.find(partitionKey, operationId, signal);
    return this;
  }

  get finishedSteps(): ReadonlySet<string> {
    const finished = [...this.#entries.values()].filter(({ document }) => document.state === "finished");
    return new Set(finished.map(({ document }) => document.step));
  }

  /** How often the cluster was acquired since an acquisition in which a step finished, this one included. */
  get attemptsWithoutProgress(): number {
    const productive = [...this.#entries.values()]
      .filter(({ document }) => document.state === "finished")
      .map(({ document }) => document.dequeues ?? 0);
    return this.#deps.guard.attempt - Math.max(0, ...productive);
  }

  /** How often `step` was started. */
  attemptOf(step: string): number {
    return this.#entries.get(step)?.document.attempt ?? 0;
  }

  /**
   * Writes entries and the operation's progress in one commit.
   * @throws LeaseLost, RunInterrupted
   */
  async write(entries: readonly JournalEntry[], progress: Progress, signal: AbortSignal): Promise<void> {
    const isWritten = await writeGuarded({
      ...this.#deps,
      signal,
      tryToWrite: () => this.#tryToWrite(entries, progress, signal),
      reload: () => this.load(signal),
    });
    if (isWritten) return;
    throw engineErrors.RunInterrupted(`the journal of operation ${this.#operation.operationId} is contended`);
  }

  /** False when a document has changed since it was read. */
  async #tryToWrite(
    entries: readonly JournalEntry[],
    progress: Progress,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { database, guard } = this.#deps;
    const { partitionKey, operationId } = this.#operation;
    const documents = entries.map((entry) => this.#document(entry));
    const writes = [...documents.map((each) => this.#entryWrite(each)), ...this.#progressWrite(progress)];
    if (writes.length === 0) return true;
    const result = await database.commit(partitionKey, writes, { lease: guard.lease, signal });
    if (result.kind === "lease-lost") {
      throw engineErrors.LeaseLost(`the lease of operation ${operationId} was lost`);
    }
    if (result.kind !== "committed") return false;
    documents.forEach((document, index) => {
      this.#entries.set(document.step, { document, etag: result.etags[index] ?? "" });
    });
    this.#progressWritten(progress, result.etags[documents.length]);
    return true;
  }

  #document(entry: JournalEntry): JournalDocument {
    const { operationId, partitionKey, clusterKey } = this.#operation;
    const { lease, attempt: dequeues } = this.#deps.guard;
    const now = this.#deps.clock.now().toISOString();
    const before = this.#entries.get(entry.step)?.document;
    const started = {
      id: `${operationId}.${entry.step}`,
      partitionKey,
      operationId,
      openShiftClusterKey: clusterKey,
      step: entry.step,
      worker: lease.owner,
      generation: lease.generation,
      dequeues,
    };
    if (entry.state === "running") {
      return { ...started, state: "running", attempt: (before?.attempt ?? 0) + 1, startedAt: now };
    }
    return {
      ...started,
      state: entry.state,
      attempt: before?.attempt ?? 1,
      startedAt: before?.startedAt ?? now,
      finishedAt: now,
      ...(entry.state === "failed" ? { error: entry.error } : {}),
    };
  }

  #entryWrite(document: JournalDocument): Write {
    const { journal } = this.#deps.database.collections;
    const stored = this.#entries.get(document.step);
    return stored ? replace(journal, stored, document) : create(journal, document);
  }

  /** Nothing when the operation's document has expired. */
  #progressWrite(progress: Progress): readonly Write[] {
    const stored = this.#operationDocument;
    if (!stored) return [];
    return [
      replace(this.#deps.database.collections.operations, stored, withProgress(stored.document, progress)),
    ];
  }

  #progressWritten(progress: Progress, etag: string | undefined): void {
    const stored = this.#operationDocument;
    if (stored && etag !== undefined) {
      this.#operationDocument = { document: withProgress(stored.document, progress), etag };
    }
  }
}

function withProgress(document: OperationDocument, progress: Progress): OperationDocument {
  const { running, completedSteps, totalSteps, percentComplete } = progress;
  return {
    ...document,
    asyncOperation: {
      ...document.asyncOperation,
      percentComplete,
      properties: { step: running.join(", "), completedSteps, totalSteps },
    },
  };
}
