import { createHash } from "node:crypto";
import { type Clock, isPlainObject } from "@keelson/base";
import type { CosmosConnection } from "./connection.ts";
import { claimItem, type DocumentItem, documentItemId, type Versioned } from "./items.ts";

/** Value of a unique key. */
export interface UniqueValue {
  readonly collection: string;
  readonly key: string;
  readonly value: string | number;
}

export interface Holder {
  readonly partitionKey: string;
  readonly id: string;
}

/**
 * Reservation that names the only document that may have a unique value. Cosmos DB enforces its own unique keys only within a
 * logical partition. Reservations apply to all partitions, because a reservation's ID is a digest of the value.
 */
export interface Reservation extends UniqueValue {
  readonly id: string;
  readonly kind: "reservation";
  readonly holder: Holder;
  /** Token of the commit that assigns the value to the holder. */
  readonly token: string;
  /** False while a commit that assigns or removes the value may be in progress. */
  readonly isSettled: boolean;
}

export type TakeResult =
  | { readonly kind: "taken"; readonly reservation: Versioned<Reservation> }
  /** A different document has the value. */
  | { readonly kind: "duplicate" }
  /** The document already has the value, because a different commit assigned the value in the meantime. */
  | { readonly kind: "own" };

/** Maximum time in ms to wait for an active commit of a different process. */
const patienceMs = 500;
const patienceStepMs = 25;

/**
 * Reservations of unique values. Reservations and documents are in different partitions, so no transaction covers both. Three
 * rules guarantee consistency:
 * - A document gets a value only after the value's reservation names the document.
 * - The commit that assigns a value to a document also creates a claim item in the document's partition, in the same transaction.
 * The name of the claim is the token in the reservation.
 * - A process may find that the document in a reservation lacks the value. The process then creates the claim itself and reads
 * the document again. At this point the commit has either happened or can no longer happen. Only then does the process take over
 * the reservation.
 * A crash leaves at most an unused reservation. The next commit with that value, or the sweep, removes it.
 */
export class Reservations {
  readonly #connection: CosmosConnection;
  readonly #clock: Clock;

  constructor(connection: CosmosConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  async find(unique: UniqueValue, signal: AbortSignal): Promise<Versioned<Reservation> | undefined> {
    const id = reservationId(unique);
    return this.#connection.read(this.#connection.control, id, id, signal);
  }

  /** Reserves a value for a commit that will assign it to `holder`. */
  async take(unique: UniqueValue, holder: Holder, token: string, signal: AbortSignal): Promise<TakeResult> {
    const { control } = this.#connection;
    const wanted: Reservation = {
      ...unique,
      id: reservationId(unique),
      kind: "reservation",
      holder,
      token,
      isSettled: false,
    };
    for (let waitedMs = 0; ; ) {
      const made = await this.#connection.create(control, wanted, signal);
      if (made.kind === "written") return { kind: "taken", reservation: versioned(wanted, made.etag) };
      const found = await this.find(unique, signal);
      if (!found) continue;
      if (await this.#isTrue(found, signal))
        return { kind: isSame(found.holder, holder) ? "own" : "duplicate" };
      if (!found.isSettled && waitedMs < patienceMs) {
        await this.#clock.sleep(patienceStepMs, signal);
        waitedMs += patienceStepMs;
        continue;
      }
      await this.#fence(found, signal);
      if (await this.#isTrue(found, signal))
        return { kind: isSame(found.holder, holder) ? "own" : "duplicate" };
      const taken = await this.#connection.replace(control, wanted.id, wanted, found._etag, signal);
      if (taken.kind === "written") return { kind: "taken", reservation: versioned(wanted, taken.etag) };
    }
  }

  /**
   * Marks a reservation as unsettled before a commit that removes the value from `holder`. The sweep checks unsettled
   * reservations.
   */
  async unsettle(
    unique: UniqueValue,
    holder: Holder,
    signal: AbortSignal,
  ): Promise<Versioned<Reservation> | undefined> {
    const { control } = this.#connection;
    for (;;) {
      const found = await this.find(unique, signal);
      if (!found || !isSame(found.holder, holder)) return undefined;
      const next = { ...found, isSettled: false };
      const written = await this.#connection.replace(control, found.id, next, found._etag, signal);
      if (written.kind === "written") return versioned(next, written.etag);
    }
  }

  /** Marks a reservation as settled. Call it only if the holder has the value and no active commit can remove the value. */
  async settle(reservation: Versioned<Reservation>, signal: AbortSignal): Promise<void> {
    const { control } = this.#connection;
    const next = { ...reservation, isSettled: true };
    await this.#connection.replace(control, reservation.id, next, reservation._etag, signal);
  }

  /** Removes a reservation. Call it only if the holder does not have the value and no active commit assigns the value. */
  async drop({ id, _etag }: Versioned<Reservation>, signal: AbortSignal): Promise<void> {
    await this.#connection.delete(this.#connection.control, id, id, _etag, signal);
  }

  /** Settles or removes all reservations that have been unsettled for `ageMs`. Returns their number. */
  async sweep(ageMs: number, signal: AbortSignal): Promise<number> {
    const before = Math.floor((this.#connection.clock.nowMs() - ageMs) / 1_000);
    const left = await this.#connection.query<Versioned<Reservation>>(
      this.#connection.control,
      {
        query: 'SELECT * FROM c WHERE c.kind = "reservation" AND c.isSettled = false AND c._ts <= @before',
        parameters: [{ name: "@before", value: before }],
      },
      undefined,
      signal,
    );
    for (const each of left) {
      await this.#fence(each, signal);
      if (await this.#isTrue(each, signal)) await this.settle(each, signal);
      else await this.drop(each, signal);
    }
    return left.length;
  }

  /** True if the holder currently has the value. */
  async #isTrue({ collection, key, value, holder }: Reservation, signal: AbortSignal): Promise<boolean> {
    const { documents } = this.#connection;
    const id = documentItemId(collection, holder.id);
    const found = await this.#connection.read<DocumentItem>(documents, holder.partitionKey, id, signal);
    return isPlainObject(found?.keys) && found.keys[key] === value;
  }

  /** Ensures that the commit with the reservation's token has either happened or can no longer happen. */
  async #fence({ holder, token }: Reservation, signal: AbortSignal): Promise<void> {
    await this.#connection.create(this.#connection.documents, claimItem(holder.partitionKey, token), signal);
  }
}

function reservationId({ collection, key, value }: UniqueValue): string {
  return createHash("sha256")
    .update(JSON.stringify([collection, key, value]))
    .digest("base64url");
}

/** Returns a newly written reservation in the form of a read result. */
function versioned(reservation: Reservation, etag: string): Versioned<Reservation> {
  return { ...reservation, _etag: etag, _ts: 0 };
}

function isSame(left: Holder, right: Holder): boolean {
  return left.partitionKey === right.partitionKey && left.id === right.id;
}
