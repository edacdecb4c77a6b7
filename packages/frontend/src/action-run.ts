import type { ActionJournal } from "@keelson/admin-actions";
import type { CloudErrorBody } from "@keelson/arm";
import { isCoded, type JsonObject, type JsonValue, type Logger, messageOf } from "@keelson/base";
import { type HeldLease, Serial } from "@keelson/cluster";
import { replace, type Stored } from "@keelson/database";
import type {
  AdminActionDocument,
  AdminActionRecord,
  AdminActionState,
  ServiceDatabase,
} from "@keelson/model";
import { openRecord, sealedRecord } from "./action-record.ts";
import { errors } from "./errors.ts";

/** Older lines of progress are dropped, longer ones cut. */
const progressLines = 200;
const lineLength = 1_000;

/** The end has to be written also when everything else has been given up. */
const endLimitMs = 10_000;

export interface ActionEndRecord {
  readonly error?: CloudErrorBody;
  readonly result?: JsonValue;
}

export interface ActionRunDeps {
  readonly database: ServiceDatabase;
  readonly logger: Logger;
  /** Ends with the run. */
  readonly maintenance: Disposable | undefined;
}

/** An action under way, as its document says. Everything is written under the lease of this process. */
export class ActionRun implements ActionJournal, AsyncDisposable {
  readonly #database: ServiceDatabase;
  readonly #held: HeldLease<AdminActionDocument>;
  readonly #logger: Logger;
  readonly #maintenance: Disposable | undefined;
  readonly #serial = new Serial();
  #stored: Stored<AdminActionDocument>;
  #record: AdminActionRecord;
  #unwritten: string[] = [];

  constructor(
    stored: Stored<AdminActionDocument>,
    held: HeldLease<AdminActionDocument>,
    { database, logger, maintenance }: ActionRunDeps,
  ) {
    this.#stored = stored;
    this.#record = openRecord(stored.document);
    this.#held = held;
    this.#database = database;
    this.#logger = logger;
    this.#maintenance = maintenance;
  }

  /** As last written. */
  get document(): AdminActionDocument {
    return this.#stored.document;
  }

  /** Aborts when the lease is lost: somebody else may have the action then. */
  get signal(): AbortSignal {
    return this.#held.signal;
  }

  get steps(): JsonObject {
    return this.#record.steps;
  }

  report(line: string): void {
    this.#unwritten.push(line.slice(0, lineLength));
    // Lines that come while one is being written are written together.
    if (this.#unwritten.length > 1) return;
    this.#serial
      .run(async () => {
        if (this.#unwritten.length > 0) await this.#write({}, {}, { signal: this.signal });
      })
      .catch((error) => this.#logger.warn({ reason: messageOf(error) }, "progress could not be written"));
  }

  async step<T extends JsonValue>(name: string, task: () => Promise<T>): Promise<T> {
    const { steps } = this;
    // The value is what the same step of this action came to before.
    if (Object.hasOwn(steps, name)) return steps[name] as T;
    const value = await task();
    await this.#serial.run(() =>
      this.#write({}, { steps: { ...this.steps, [name]: value } }, { signal: this.signal }),
    );
    return value;
  }

  /** Writes the end and lets go of the cluster. Nothing is written when the lease is lost. */
  async end(state: AdminActionState, endedAt: Date, record: ActionEndRecord): Promise<void> {
    const signal = AbortSignal.timeout(endLimitMs);
    await this.#serial.run(() =>
      this.#write({ state, endedAt: endedAt.toISOString() }, record, { signal, release: true }),
    );
  }

  /** Gives the action to another process. */
  async handOver(): Promise<void> {
    const signal = AbortSignal.timeout(endLimitMs);
    await this.#serial.run(() => Promise.resolve());
    await this.#database.collections.adminActions.release(this.#held.lease, { backoffMs: 0, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#maintenance?.[Symbol.dispose]();
    await this.#held[Symbol.asyncDispose]();
  }

  async #write(
    change: Partial<AdminActionDocument>,
    recorded: Partial<AdminActionRecord>,
    { signal, release = false }: { readonly signal: AbortSignal; readonly release?: boolean },
  ): Promise<void> {
    const lines = this.#unwritten;
    this.#unwritten = [];
    const { lockKey, ...rest } = this.document;
    const progress = [...this.#record.progress, ...lines].slice(-progressLines);
    const record: AdminActionRecord = { ...this.#record, progress, ...recorded };
    const document: AdminActionDocument = {
      ...rest,
      ...(release || lockKey === undefined ? {} : { lockKey }),
      ...change,
      record: sealedRecord(record),
    };
    const { adminActions } = this.#database.collections;
    const write = replace(adminActions, this.#stored, document);
    const options = { lease: this.#held.lease, release, signal };
    const result = await this.#database.commit(document.partitionKey, [write], options);
    if (result.kind !== "committed")
      throw errors.ActionLost(`action ${document.id} belongs to another process: ${result.kind}`);
    this.#stored = { document, etag: result.etags[0] ?? "" };
    this.#record = record;
  }
}

export function isActionLost(error: unknown): boolean {
  return isCoded(error, "ActionLost") || isCoded(error, "LeaseLost");
}
