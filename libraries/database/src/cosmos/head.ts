import type { Document } from "../documents/collection.ts";
import type { NewLease } from "../documents/database.ts";
import type { Lease } from "../documents/lease.ts";
import { type CosmosDefinition, type HeadItem, headItemId, ttlOf, uniqueValuesOf } from "./items.ts";
import type { ServerClock } from "./server-clock.ts";
import { sortableList } from "./sortable.ts";

/** Changes of head items. The functions return the new head and write nothing. */

export type Head = Omit<HeadItem, "_etag" | "_ts">;

/** Returns the head of a document after a commit. `before` is the head of its previous version. */
export function headAfterWrite(
  { definition }: CosmosDefinition<Document>,
  document: Document,
  before: Head | undefined,
  clock: ServerClock,
): Head {
  const { id, partitionKey } = document;
  const head: Head = {
    id: headItemId(definition.name, id),
    partitionKey,
    kind: "head",
    collection: definition.name,
    documentId: id,
    unique: uniqueValuesOf(definition, document),
    dueAt: 0,
    notBefore: 0,
    attempts: 0,
    leaseGeneration: before?.leaseGeneration ?? 0,
    leaseExpires: before?.leaseExpires ?? 0,
    ...(before?.leaseOwner === undefined ? {} : { leaseOwner: before.leaseOwner }),
    isGivenBack: false,
    ...ttlOf(definition, document),
  };
  if (!definition.queued?.(document)) return head;
  const stays = before?.queuedAt !== undefined;
  const queuedAt = before?.queuedAt ?? clock.ticket();
  const due = definition.due?.(document);
  const order = sortableList([...(due ? [due.at.getTime(), due.priority] : []), queuedAt]);
  // A document that enters the queue again has zero attempts, and no longer the expired lease of a crashed worker.
  const isStale = !stays && head.leaseExpires <= clock.nowMs();
  return {
    ...(isStale ? withoutLease(head) : head),
    queuedAt,
    order,
    dueAt: due?.at.getTime() ?? 0,
    ...(stays && before.turn !== undefined ? { turn: before.turn } : {}),
    attempts: stays ? before.attempts : 0,
    notBefore: stays ? before.notBefore : 0,
  };
}

/** Returns the head of a document that is created with a lease. The document's first attempt counts as started. */
export function leasedFromTheStart(head: Head, { owner, ttlMs }: NewLease, clock: ServerClock): Head {
  return { ...taken(head, owner, ttlMs, clock), attempts: 1 };
}

/**
 * Returns the head with a new lease. The lease's generation is higher than every earlier generation of the document or of this
 * process.
 */
export function taken({ turn: _, ...head }: Head, owner: string, ttlMs: number, clock: ServerClock): Head {
  return {
    ...head,
    leaseOwner: owner,
    leaseGeneration: Math.max(head.leaseGeneration + 1, clock.ticket()),
    leaseExpires: clock.nowMs() + ttlMs,
    isGivenBack: false,
  };
}

/** Returns the head with a lease for an acquisition. The acquisition counts as an attempt. */
export function takenBy(head: Head, { owner, ttlMs }: NewLease, clock: ServerClock): Head {
  return { ...taken(head, owner, ttlMs, clock), attempts: head.attempts + 1 };
}

export function renewed(head: Head, ttlMs: number, clock: ServerClock): Head {
  return { ...head, leaseExpires: clock.nowMs() + ttlMs, isGivenBack: false };
}

/** Returns the head after a release without a result. Workers retry after the backoff. */
export function givenBack(head: Head, backoffMs: number, isUncounted: boolean, clock: ServerClock): Head {
  return {
    ...withoutLease(head),
    notBefore: clock.nowMs() + backoffMs,
    attempts: isUncounted ? Math.max(0, head.attempts - 1) : head.attempts,
    isGivenBack: true,
  };
}

/**
 * Returns the head after a release to a fair queue. After a release with a backoff (a failure), the document's partition is
 * served last. After a release without a backoff, a document with a started attempt is unfinished work and is leased first.
 */
export function withTurn(head: Head, backoffMs: number, clock: ServerClock): Head {
  if (head.queuedAt === undefined) return head;
  if (backoffMs > 0) return { ...head, turn: clock.ticket() };
  return head.attempts > 0 ? { ...head, turn: 0 } : head;
}

/** Returns the head after successful work. The document's attempts and backoff are reset. */
export function released(head: Head): Head {
  return { ...withoutLease(head), attempts: 0, notBefore: 0, isGivenBack: true };
}

function withoutLease({ leaseOwner: _, ...head }: Head): Head {
  return { ...head, leaseExpires: 0 };
}

export function leaseOf(head: Head): Lease {
  const { collection, partitionKey, documentId, leaseOwner = "", leaseGeneration, leaseExpires } = head;
  return {
    collection,
    partitionKey,
    id: documentId,
    owner: leaseOwner,
    generation: leaseGeneration,
    expiresAt: new Date(leaseExpires),
  };
}

/** True if the head has this lease and the lease has not expired. */
export function isHeld(head: Head, { owner, generation }: Lease, clock: ServerClock): boolean {
  return (
    head.leaseOwner === owner && head.leaseGeneration === generation && head.leaseExpires > clock.nowMs()
  );
}
