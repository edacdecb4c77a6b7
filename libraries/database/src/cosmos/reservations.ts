import { createHash } from "node:crypto";
import { type Clock, isPlainObject } from "@keelson/base";
import type { CosmosConnection } from "./connection.ts";
import { claimItem, type DocumentItem, documentItemId, type Versioned } from "./items.ts";

/** One value of a unique key. */
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
 * Says which document may have a value. Unique keys of Cosmos DB hold within one logical partition, these everywhere:
 * the ID is a digest of the value.
 */
export interface Reservation extends UniqueValue {
  readonly id: string;
  readonly kind: "reservation";
  readonly holder: Holder;
  /** Of the commit that gives, or gave, the value to the holder. */
  readonly token: string;
  /** False while a commit that gives or takes the value may be under way. */
  readonly isSettled: boolean;
}

export type TakeResult =
  | { readonly kind: "taken"; readonly reservation: Versioned<Reservation> }
  /** Another document has the value. */
  | { readonly kind: "duplicate" }
  /** The document itself has the value already: it was written meanwhile. */
  | { readonly kind: "own" };

/** How long another process's commit in progress gets to end by itself. */
const patienceMs = 500;
const patienceStepMs = 25;

/**
 * Reservations of unique values. They are in other partitions than the documents, so no transaction spans both.
 * Consistency rests on three rules:
 *
 * - A document has a value only if its reservation named the document before.
 * - The commit that gives a value to a document makes a claim item, named by the reservation's token, in the
 *   document's partition, in the same transaction.
 * - A process that finds a reservation whose holder lacks the value makes that claim itself and reads again: now the
 *   commit has happened or never can. Only then may it take the reservation over.
 *
 * So a crash leaves at worst an unused reservation, which the next commit with that value, or the sweep, removes.
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

  /** Reserves a value for a commit that is about to give it to `holder`. */
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

  /** Before a commit that takes the value from `holder`: from now on the sweep checks it. */
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

  /** The commit has happened, or is known never to happen, and the holder has the value. */
  async settle(reservation: Versioned<Reservation>, signal: AbortSignal): Promise<void> {
    const { control } = this.#connection;
    const next = { ...reservation, isSettled: true };
    await this.#connection.replace(control, reservation.id, next, reservation._etag, signal);
  }

  /** The holder does not have the value, and no commit under way gives it one. */
  async drop({ id, _etag }: Versioned<Reservation>, signal: AbortSignal): Promise<void> {
    await this.#connection.delete(this.#connection.control, id, id, _etag, signal);
  }

  /** Settles or removes what commits left unsettled for `ageMs`. Resolves to how many there were. */
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

  /** Whether the holder has the value now. */
  async #isTrue({ collection, key, value, holder }: Reservation, signal: AbortSignal): Promise<boolean> {
    const { documents } = this.#connection;
    const id = documentItemId(collection, holder.id);
    const found = await this.#connection.read<DocumentItem>(documents, holder.partitionKey, id, signal);
    return isPlainObject(found?.keys) && found.keys[key] === value;
  }

  /** From now on the commit of the reservation's token has happened, or never will. */
  async #fence({ holder, token }: Reservation, signal: AbortSignal): Promise<void> {
    await this.#connection.create(this.#connection.documents, claimItem(holder.partitionKey, token), signal);
  }
}

function reservationId({ collection, key, value }: UniqueValue): string {
  return createHash("sha256")
    .update(JSON.stringify([collection, key, value]))
    .digest("base64url");
}

/** A reservation just written, as it would be read. */
function versioned(reservation: Reservation, etag: string): Versioned<Reservation> {
  return { ...reservation, _etag: etag, _ts: 0 };
}

function isSame(left: Holder, right: Holder): boolean {
  return left.partitionKey === right.partitionKey && left.id === right.id;
}
