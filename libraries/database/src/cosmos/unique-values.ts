import { randomUUID } from "node:crypto";
import { isCoded, messageOf } from "@keelson/base";
import type { CommitResult } from "../documents/database.ts";
import type { FoundHead, ResolvedWrite } from "./batch-plan.ts";
import type { CosmosContext } from "./context.ts";
import { headItemId, type Versioned } from "./items.ts";
import type { Reservation, UniqueValue } from "./reservations.ts";

/** Unique values that one commit assigns to documents and removes from documents. See `Reservations`. */
export class UniqueValues {
  readonly #context: CosmosContext;
  readonly #partitionKey: string;
  /** Reservations of assigned values, by the name of the value. */
  readonly #gained = new Map<string, Versioned<Reservation>>();
  readonly #lost = new Map<string, Versioned<Reservation> | undefined>();
  #token = randomUUID();

  constructor(context: CosmosContext, partitionKey: string) {
    this.#context = context;
    this.#partitionKey = partitionKey;
  }

  /** Token of the claim that the batch must create. `undefined` if the commit assigns no values. */
  get token(): string | undefined {
    return this.#gained.size > 0 ? this.#token : undefined;
  }

  /**
   * Reserves the values that documents gain and marks the values that they lose.
   * @returns the reason to reject the commit, or "again" if the data that was read has changed
   */
  async reserve(
    writes: readonly ResolvedWrite[],
    heads: ReadonlyMap<string, FoundHead>,
    signal: AbortSignal,
  ): Promise<CommitResult | "again" | undefined> {
    const { reservations } = this.#context;
    for (const [index, { write, item, store, id }] of writes.entries()) {
      if (write.kind === "unchanged") continue;
      const { name: collection, unique } = store.definition;
      const before = heads.get(headItemId(collection, id))?.head.unique ?? {};
      const holder = { partitionKey: this.#partitionKey, id };
      for (const key of unique) {
        const [old, value] = [write.kind === "create" ? undefined : before[key], item?.keys[key]];
        if (old === value) continue;
        if (value !== undefined && !this.#gained.has(nameOf({ collection, key, value }))) {
          const wanted = { collection, key, value };
          const result = await reservations.take(wanted, holder, this.#token, signal);
          if (result.kind === "duplicate") return { kind: "duplicate", write: index, key };
          if (result.kind === "own") {
            return write.kind === "create" ? { kind: "conflict", write: index, reason: "exists" } : "again";
          }
          this.#gained.set(nameOf(wanted), result.reservation);
        }
        if (old !== undefined && !this.#lost.has(nameOf({ collection, key, value: old }))) {
          const given = { collection, key, value: old };
          this.#lost.set(nameOf(given), await reservations.unsettle(given, holder, signal));
        }
      }
    }
    return undefined;
  }

  /** Restarts with a new token. A different commit has created the claim of the old token, and may now hold the reservations. */
  async restart(signal: AbortSignal): Promise<void> {
    await this.#all(this.#gained.values(), (each) => this.#context.reservations.drop(each, signal), signal);
    this.#gained.clear();
    this.#token = randomUUID();
  }

  /** Completes the reservations after the commit. */
  async finish(signal: AbortSignal): Promise<void> {
    const { reservations } = this.#context;
    await this.#all(this.#gained.values(), (each) => reservations.settle(each, signal), signal);
    await this.#all(this.#lost.values(), (each) => reservations.drop(each, signal), signal);
  }

  /** Reverts the reservations of a commit that did not happen. Returns `result`. */
  async undo(result: CommitResult, signal: AbortSignal): Promise<CommitResult> {
    const { reservations } = this.#context;
    await this.#all(this.#gained.values(), (each) => reservations.drop(each, signal), signal);
    await this.#all(this.#lost.values(), (each) => reservations.settle(each, signal), signal);
    return result;
  }

  /** Updates reservations. Errors are ignored, because the result of the commit is final. The sweep retries later. */
  async #all(
    reservations: Iterable<Versioned<Reservation> | undefined>,
    act: (reservation: Versioned<Reservation>) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const results = await Promise.allSettled([...reservations].map((each) => (each ? act(each) : undefined)));
    for (const each of results) {
      if (each.status === "fulfilled" || signal.aborted) continue;
      if (!isCoded(each.reason, "StoreUnavailable")) throw each.reason;
      const reason = messageOf(each.reason);
      this.#context.logger.warn({ reason }, "a reserved value was left to the sweep");
    }
  }
}

function nameOf({ collection, key, value }: UniqueValue): string {
  return JSON.stringify([collection, key, value]);
}
