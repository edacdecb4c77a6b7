import { randomUUID } from "node:crypto";
import type { Clock, JsonObject, JsonValue, Logger } from "@keelson/base";
import { messageOf } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";
import { ArmError } from "./arm-error.ts";
import type { Principal } from "./principal.ts";

/**
 * Asynchronous operation: `InProgress` -> `Succeeded` | `Failed`. Completed operations are kept for a week. The number of kept
 * operations is limited.
 */
export interface Operation {
  readonly id: string;
  /** `write`, `delete`, `deleteGroup`, or the name of an action. */
  readonly kind: string;
  /** ID of the resource or group that the operation changes. */
  readonly target: string;
  readonly status: "InProgress" | "Succeeded" | "Failed";
  readonly startTime: string;
  /** Scheduled completion time. A restart does not change this time. */
  readonly dueTime: string;
  readonly endTime?: string;
  readonly error?: JsonValue;
  /** Failure that a fault injects. Undefined if the operation succeeds. */
  readonly failure?: OperationFailure;
  /** Principal on behalf of which the operation sends requests to other services. */
  readonly caller?: Principal;
  /** `Retry-After` in the response to each poll, in seconds. Default: 1 s. */
  readonly retryAfterSeconds?: number;
}

export interface OperationFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly JsonObject[];
}

/** Work that must finish before an operation completes. Returns the failure, if any. After a restart, the work is done again. */
export type BeforeEnd = (operation: Operation, signal: AbortSignal) => Promise<OperationFailure | undefined>;

/** Injected fault of an operation. */
export interface OperationOutcome {
  readonly delayMs: number;
  readonly failure?: OperationFailure;
  readonly retryAfterSeconds?: number;
}

const nearMs = 1_000;
const keptMs = 7 * 86_400_000;
const mostKept = 5_000;

/** Runs operations until they complete, including operations that a previous process started. */
export class Operations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #table: Table<Operation>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #pendingByTarget = new Map<string, string>();
  /** Completion time of completed operations by ID, oldest first. */
  readonly #ended = new Map<string, number>();
  #complete: (operation: Operation) => ArmError | undefined = () => undefined;
  #beforeEnd: BeforeEnd = () => Promise.resolve(undefined);

  constructor(deps: { readonly store: Store; readonly clock: Clock; readonly logger: Logger }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#table = deps.store.table("operation");
    deps.store.index<Operation>("operation", (before, after) => {
      const target = (before ?? after)?.target.toLowerCase() ?? "";
      if (before?.status === "InProgress" && this.#pendingByTarget.get(target) === before.id) {
        this.#pendingByTarget.delete(target);
      }
      if (after?.status === "InProgress") this.#pendingByTarget.set(target, after.id);
      if (!after) this.#ended.delete(before?.id ?? "");
      else if (after.endTime !== undefined) this.#ended.set(after.id, Date.parse(after.endTime));
    });
  }

  /**
   * Starts processing. `complete` applies the effect of an operation in the transaction that completes the operation. If
   * `complete` returns an error, the operation fails with this error.
   */
  start(complete: (operation: Operation) => ArmError | undefined, beforeEnd?: BeforeEnd): void {
    this.#complete = complete;
    if (beforeEnd) this.#beforeEnd = beforeEnd;
    const ended = [...this.#ended].sort(([, a], [, b]) => a - b);
    this.#ended.clear();
    for (const [id, endMs] of ended) this.#ended.set(id, endMs);
    this.#store.transaction(() => this.#forgetOld());
    for (const operation of this.#table.values())
      if (operation.status === "InProgress") this.#schedule(operation);
  }

  /** Starts an operation on `target` that completes after `delayMs`. Must be called inside the transaction of the request. */
  begin(
    kind: string,
    target: string,
    delayMs: number,
    outcome?: OperationOutcome,
    caller?: Principal,
  ): Operation {
    const now = this.#clock.now().getTime();
    const { failure, retryAfterSeconds } = outcome ?? {};
    const operation: Operation = {
      id: randomUUID(),
      kind,
      target,
      status: "InProgress",
      startTime: new Date(now).toISOString(),
      dueTime: new Date(now + delayMs + (outcome?.delayMs ?? 0)).toISOString(),
      ...(failure ? { failure } : {}),
      ...(caller ? { caller } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    this.#table.set(operation.id, operation);
    this.#schedule(operation);
    return operation;
  }

  find(id: string): Operation | undefined {
    return this.#table.get(id);
  }

  /** Returns the latest operation in progress on a resource or group. */
  pendingOn(target: string): Operation | undefined {
    const id = this.#pendingByTarget.get(target.toLowerCase());
    return id === undefined ? undefined : this.#table.get(id);
  }

  /** Waits for an operation that is due within a second. Returns immediately for an operation that is due later. */
  async nearEnd(id: string): Promise<void> {
    const operation = this.#table.get(id);
    if (operation?.status !== "InProgress") return;
    const leftMs = new Date(operation.dueTime).getTime() - this.#clock.now().getTime();
    const running = leftMs <= nearMs ? this.#running.get(id) : undefined;
    if (!running) return;
    // Limits the wait, because the work in `beforeEnd` may take a long time.
    const wait = new AbortController();
    const ended = running.finally(() => wait.abort());
    await this.#clock.sleep(nearMs, wait.signal).catch(() => ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }

  #schedule(operation: Operation): void {
    const run = this.#run(operation).finally(() => this.#running.delete(operation.id));
    this.#running.set(operation.id, run);
  }

  async #run(operation: Operation): Promise<void> {
    const { signal } = this.#stop;
    try {
      const waitMs = new Date(operation.dueTime).getTime() - this.#clock.now().getTime();
      await this.#clock.sleep(Math.max(0, waitMs), signal);
      const failure = operation.failure ?? (await this.#beforeEnd(operation, signal));
      this.#finish(operation.id, failure);
      await this.#store.durable();
    } catch (error) {
      if (!signal.aborted) this.#logger.error({ operation, error: messageOf(error) }, "operation stopped");
    }
  }

  #finish(id: string, failure: OperationFailure | undefined): void {
    const found = this.#table.get(id);
    if (found?.status !== "InProgress") return;
    const operation = failure ? { ...found, failure } : found;
    try {
      this.#store.transaction(() => this.#end(operation, this.#complete(operation)));
    } catch (error) {
      this.#logger.error({ operation, error: messageOf(error) }, "operation failed");
      const unexpected = new ArmError(500, "InternalServerError", "The operation failed.");
      this.#store.transaction(() => this.#end(operation, unexpected));
    }
  }

  #end(operation: Operation, failure: ArmError | undefined): void {
    this.#table.set(operation.id, {
      ...operation,
      status: failure ? "Failed" : "Succeeded",
      endTime: this.#clock.now().toISOString(),
      ...(failure ? { error: failure.body().error ?? null } : {}),
    });
    this.#forgetOld();
  }

  #forgetOld(): void {
    const oldest = this.#clock.now().getTime() - keptMs;
    for (const [id, endMs] of this.#ended) {
      if (endMs >= oldest && this.#ended.size <= mostKept) return;
      this.#table.delete(id);
    }
  }
}

/** Returns the response body for `GET` of an `Azure-AsyncOperation` URL. */
export function renderOperation(operation: Operation, id: string): JsonObject {
  const { status, startTime, endTime, error } = operation;
  return {
    id,
    name: operation.id,
    status,
    startTime,
    ...(endTime ? { endTime } : {}),
    ...(error ? { error } : {}),
  };
}
