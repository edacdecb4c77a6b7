import type { Clock, Logger } from "@keelson/base";
import { type Collection, create, replace, type Stored, type Write } from "@keelson/database";
import { recordingLogger, type StepLogEntry, type StepLogRecord } from "./step-log.ts";

/** Storage of the log lines of an operation's steps. */
export interface StepLogStore<Log extends StepLogRecord> {
  /** Collection that stores the lines. Its definition must have the query key `operationId`. */
  readonly collection: Collection<Log>;
  /** Returns a record with the application's additional fields. */
  recordOf(record: StepLogRecord): Log;
}

/** Maximum number of stored lines of an operation. */
const maxEntries = 500;
/** Maximum size of an operation's stored lines as JSON, in bytes. */
const maxBytes = 131_072;

interface Lines {
  readonly entries: StepLogEntry[];
  readonly sizes: number[];
  omitted: number;
  isChanged: boolean;
}

/** Log lines of an operation's steps. If they exceed a limit, the oldest line of the step with the most lines is removed. */
export class StepLogs<Log extends StepLogRecord> {
  readonly #store: StepLogStore<Log>;
  readonly #operation: { readonly partitionKey: string; readonly operationId: string };
  readonly #clock: Clock;
  readonly #lines = new Map<string, Lines>();
  readonly #stored = new Map<string, Stored<Log>>();
  #count = 0;
  #bytes = 0;

  constructor(
    store: StepLogStore<Log>,
    operation: { readonly partitionKey: string; readonly operationId: string },
    clock: Clock,
  ) {
    this.#store = store;
    this.#operation = operation;
    this.#clock = clock;
  }

  /** Reads the stored lines. If this process has already recorded lines of a step, the stored lines of this step are not used. */
  async load(signal: AbortSignal): Promise<void> {
    const { partitionKey, operationId } = this.#operation;
    let continuation: string | undefined;
    do {
      const query = { partitionKey, where: { operationId }, limit: maxEntries, continuation };
      const page = await this.#store.collection.list(query, signal);
      for (const stored of page.items) this.#adopt(stored);
      continuation = page.continuation;
    } while (continuation !== undefined);
  }

  #adopt(stored: Stored<Log>): void {
    const { step, entries, omitted } = stored.document;
    this.#stored.set(step, stored);
    if (this.#lines.has(step)) return;
    const lines = this.#linesOf(step);
    lines.omitted = omitted;
    for (const entry of entries) this.#append(lines, entry);
  }

  /** Returns a logger for a step. Its lines are recorded, and `onLine` is called for each. */
  loggerOf(step: string, logger: Logger, onLine: () => void): Logger {
    return recordingLogger(
      logger,
      () => this.#clock.now(),
      (entry) => {
        const lines = this.#linesOf(step);
        this.#append(lines, entry);
        lines.isChanged = true;
        this.#shorten();
        onLine();
      },
    );
  }

  /** Returns the records of the steps with unsaved lines. */
  unsaved(): readonly Log[] {
    const changed = [...this.#lines].filter(([, { isChanged }]) => isChanged);
    return changed.map(([step, lines]) => this.#recordOf(step, lines));
  }

  writeOf(record: Log): Write {
    const { collection } = this.#store;
    const before = this.#stored.get(record.step);
    return before ? replace(collection, before, record) : create(collection, record);
  }

  /** Marks the lines of a committed record as saved. Lines that were added during the commit remain unsaved. */
  saved(document: Log, etag: string): void {
    this.#stored.set(document.step, { document, etag });
    const lines = this.#linesOf(document.step);
    const isCurrent = lines.omitted === document.omitted && lines.entries.length === document.entries.length;
    if (isCurrent) lines.isChanged = false;
  }

  #recordOf(step: string, { entries, omitted }: Lines): Log {
    const { partitionKey, operationId } = this.#operation;
    const id = `${operationId}.${step}`;
    return this.#store.recordOf({ id, partitionKey, operationId, step, entries: [...entries], omitted });
  }

  #linesOf(step: string): Lines {
    const known = this.#lines.get(step);
    if (known) return known;
    const lines = { entries: [], sizes: [], omitted: 0, isChanged: false };
    this.#lines.set(step, lines);
    return lines;
  }

  #append(lines: Lines, entry: StepLogEntry): void {
    const size = Buffer.byteLength(JSON.stringify(entry));
    lines.entries.push(entry);
    lines.sizes.push(size);
    this.#count++;
    this.#bytes += size;
  }

  #shorten(): void {
    while (this.#count > maxEntries || this.#bytes > maxBytes) {
      let longest: Lines | undefined;
      for (const lines of this.#lines.values())
        if (!longest || lines.entries.length > longest.entries.length) longest = lines;
      if (!longest) return;
      longest.entries.shift();
      this.#count--;
      this.#bytes -= longest.sizes.shift() ?? 0;
      longest.omitted++;
      longest.isChanged = true;
    }
  }
}
