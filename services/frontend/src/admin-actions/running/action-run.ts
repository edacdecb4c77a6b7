import type { ActionJournal } from "@keelson/admin-actions";
import type { CloudErrorBody } from "@keelson/arm";
import {
  type Clock,
  isCoded,
  type JsonObject,
  type JsonValue,
  type Logger,
  messageOf,
  timeLimit,
} from "@keelson/base";
import { replace, type Stored } from "@keelson/database";
import type {
  AdminActionDocument,
  AdminActionRecord,
  AdminActionState,
  ClusterDocument,
  ServiceDatabase,
} from "@keelson/model";
import { type HeldLease, type IdleLease, Serial, writeGuarded } from "@keelson/workflow";
import { errors } from "../../commits/errors.ts";
import { openRecord, sealedRecord } from "./action-request.ts";

/** Maximum number of progress lines. Older lines are dropped. Long lines are truncated. */
const progressLines = 200;
const lineLength = 1_000;

/** Time limit in ms for writing the end of an action. The end is also written after the rest of the work was aborted. */
const endLimitMs = 60_000;

export interface ActionEndRecord {
  readonly error?: CloudErrorBody;
  readonly result?: JsonValue;
}

export interface ActionRunDeps {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Lease of the cluster. Undefined if the run only writes the end of the action. */
  readonly cluster: IdleLease<ClusterDocument> | undefined;
  /** Repeated maintenance signal to monitoring. The end of the run stops it. */
  readonly maintenance: Disposable | undefined;
}

/**
 * Running action with its document. All writes require this process's lease on the document. The run also owns the cluster's
 * lease until disposal.
 */
export class ActionRun implements ActionJournal, AsyncDisposable {
  /** Aborts if a lease is lost. A second process may then own the action or the cluster. */
  readonly signal: AbortSignal;
  readonly #deps: ActionRunDeps;
  readonly #held: HeldLease<AdminActionDocument>;
  readonly #serial = new Serial();
  #stored: Stored<AdminActionDocument>;
  #record: AdminActionRecord;
  #unwritten: string[] = [];

  constructor(
    stored: Stored<AdminActionDocument>,
    held: HeldLease<AdminActionDocument>,
    deps: ActionRunDeps,
  ) {
    this.#stored = stored;
    this.#record = openRecord(stored.document);
    this.#held = held;
    this.#deps = deps;
    const { cluster } = deps;
    this.signal = cluster ? AbortSignal.any([held.signal, cluster.held.signal]) : held.signal;
  }

  /** Cluster document at the time when the cluster's lease was acquired. */
  get cluster(): ClusterDocument | undefined {
    return this.#deps.cluster?.leased.document;
  }

  /** Action document from the last write. */
  get document(): AdminActionDocument {
    return this.#stored.document;
  }

  get steps(): JsonObject {
    return this.#record.steps;
  }

  report(line: string): void {
    this.#unwritten.push(line.slice(0, lineLength));
    // While the database is unavailable, the oldest lines beyond the limit are dropped.
    if (this.#unwritten.length > progressLines) this.#unwritten.shift();
    // Lines that arrive during a write are written together after this write.
    if (this.#unwritten.length > 1) return;
    this.#serial
      .run(async () => {
        if (this.#unwritten.length > 0) await this.#write({}, {}, { signal: this.signal });
      })
      .catch((error) =>
        this.#deps.logger.warn({ reason: messageOf(error) }, "progress could not be written"),
      );
  }

  async step<T extends JsonValue>(name: string, task: () => Promise<T>): Promise<T> {
    const { steps } = this;
    // An earlier attempt of this action has stored the step's result.
    if (Object.hasOwn(steps, name)) return steps[name] as T;
    const value = await task();
    await this.#serial.run(() =>
      this.#write({}, { steps: { ...this.steps, [name]: value } }, { signal: this.signal }),
    );
    return value;
  }

  /** Writes the end of the action and releases the cluster. Does nothing if the lease is lost. */
  async end(state: AdminActionState, endedAt: Date, record: ActionEndRecord): Promise<void> {
    const signal = timeLimit(endLimitMs);
    await this.#serial.run(() =>
      this.#write({ state, endedAt: endedAt.toISOString() }, record, { signal, release: true }),
    );
  }

  /** Releases the action so that a different process can resume it. */
  async handOver(): Promise<void> {
    const signal = timeLimit(endLimitMs);
    await this.#serial.run(() => Promise.resolve());
    // The cluster is released first, because the action's next owner needs it.
    await this.#deps.cluster?.[Symbol.asyncDispose]();
    await this.#deps.database.collections.adminActions.release(this.#held.lease, { backoffMs: 0, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#deps.maintenance?.[Symbol.dispose]();
    await this.#held[Symbol.asyncDispose]();
    await this.#deps.cluster?.[Symbol.asyncDispose]();
  }

  async #write(
    change: Partial<AdminActionDocument>,
    recorded: Partial<AdminActionRecord>,
    options: { readonly signal: AbortSignal; readonly release?: boolean },
  ): Promise<void> {
    const lines = this.#unwritten;
    this.#unwritten = [];
    const progress = [...this.#record.progress, ...lines].slice(-progressLines);
    const record: AdminActionRecord = { ...this.#record, progress, ...recorded };
    const isWritten = await writeGuarded({
      ...options,
      guard: this.#held,
      clock: this.#deps.clock,
      tryToWrite: () => this.#tryToWrite(change, record, options),
      reload: () => this.#reload(options.signal),
    });
    if (!isWritten) throw errors.ActionLost(`action ${this.document.id} is changed again and again`);
    this.#record = record;
  }

  /**
   * Tries to write the document. Returns false if the document has changed since the last read. Besides this run, only a
   * re-encryption with a new key changes the document.
   */
  async #tryToWrite(
    change: Partial<AdminActionDocument>,
    record: AdminActionRecord,
    { signal, release = false }: { readonly signal: AbortSignal; readonly release?: boolean },
  ): Promise<boolean> {
    const { database } = this.#deps;
    const { lockKey, ...rest } = this.document;
    const document: AdminActionDocument = {
      ...rest,
      ...(release || lockKey === undefined ? {} : { lockKey }),
      ...change,
      record: sealedRecord(record),
    };
    const write = replace(database.collections.adminActions, this.#stored, document);
    const options = { lease: this.#held.lease, release, signal };
    const result = await database.commit(document.partitionKey, [write], options);
    if (result.kind === "committed") this.#stored = { document, etag: result.etags[0] ?? "" };
    else if (result.kind === "lease-lost" && !(release && (await this.#hasEnded(document, signal))))
      throw errors.ActionLost(`action ${document.id} belongs to another process`);
    return result.kind === "committed" || result.kind === "lease-lost";
  }

  /** True if the end was written, but its response was lost. The same write has also released the lease. */
  async #hasEnded({ state, endedAt }: AdminActionDocument, signal: AbortSignal): Promise<boolean> {
    const { document } = await this.#find(signal);
    return document.state === state && document.endedAt === endedAt;
  }

  async #reload(signal: AbortSignal): Promise<void> {
    this.#stored = await this.#find(signal);
  }

  async #find(signal: AbortSignal): Promise<Stored<AdminActionDocument>> {
    const { partitionKey, id } = this.document;
    const found = await this.#deps.database.collections.adminActions.find(partitionKey, id, signal);
    if (!found) throw errors.ActionLost(`action ${id} is gone`);
    return found;
  }
}

export function isActionLost(error: unknown): boolean {
  return isCoded(error, "ActionLost") || isCoded(error, "LeaseLost");
}
