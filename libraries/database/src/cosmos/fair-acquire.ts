import type { JSONObject, OperationInput } from "@azure/cosmos";
import type { Document } from "../documents/collection.ts";
import type { AcquireOptions, Leased } from "../documents/lease.ts";
import { pickInTurn, type QueueEntry } from "../documents/queue-turns.ts";
import type { FoundHead } from "./batch-plan.ts";
import type { CosmosContext } from "./context.ts";
import { type Head, takenBy } from "./head.ts";
import type { CosmosDefinition, HeadItem, Versioned } from "./items.ts";
import { foundHead } from "./stored-head.ts";

interface Candidate extends QueueEntry, FoundHead {}

/** Maximum pause in ms after a conflict or a throttled request. */
const conflictPauseMs = 20;

/** Maximum number of documents per batch. A batch has at most 100 operations, and one of them marks the partition as served. */
const mostPerPartition = 99;

/**
 * Acquires documents from a fair queue. It reads all queued heads, so the cost grows with the queue length. The frontend
 * therefore limits the number of queued documents per partition. All documents of one partition are leased in one batch. The
 * batch fails if a different process has served the partition after the read.
 */
export async function acquireInTurn<T extends Document>(
  context: CosmosContext,
  { definition }: CosmosDefinition<T>,
  options: AcquireOptions,
  open: (written: FoundHead) => Promise<Leased<T> | undefined>,
): Promise<readonly Leased<T>[]> {
  const { limit, maxRunning = Number.POSITIVE_INFINITY, signal } = options;
  const leased: Leased<T>[] = [];
  signal.throwIfAborted();
  while (leased.length < limit) {
    const queued = await candidates(context, definition.name, signal);
    const { begun, served } = pickInTurn(queued, limit - leased.length, maxRunning);
    const picked = [...begun.map((entry) => ({ entries: [entry], next: undefined })), ...served];
    if (picked.length === 0) break;
    const stamps = picked.map(() => context.connection.clock.ticket());
    const written = await Promise.all(
      picked.map(({ entries, next }, index) =>
        lease(context, entries.slice(0, mostPerPartition), next, stamps[index] ?? 0, options),
      ),
    );
    const opened = await Promise.all(written.flatMap((heads) => (heads ?? []).map(open)));
    const readable = opened.filter((each) => each !== undefined);
    leased.push(...readable);
    // Conflicts and unreadable documents reduce the number of leased documents. The loop then tries again.
    const hasConflict = written.some((heads) => heads === undefined);
    if (!hasConflict && readable.length === opened.length) break;
    if (hasConflict) await context.clock.sleep(Math.random() * conflictPauseMs, signal);
  }
  return leased.sort((one, other) => one.lease.generation - other.lease.generation);
}

async function candidates(
  { connection }: CosmosContext,
  collection: string,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const query = {
    query: 'SELECT * FROM c WHERE c.kind = "head" AND c.collection = @collection AND IS_DEFINED(c["order"])',
    parameters: [{ name: "@collection", value: collection }],
  };
  const items = await connection.query<Versioned<HeadItem>>(connection.documents, query, undefined, signal);
  const now = connection.clock.nowMs();
  return items.map(foundHead).map((found) => ({ ...found, ...entryOf(found.head, now) }));
}

function entryOf(head: Head, now: number): QueueEntry {
  const { partitionKey, queuedAt = 0, turn, notBefore, leaseOwner, leaseExpires } = head;
  const isLapsed = leaseExpires <= now;
  return {
    partitionKey,
    position: queuedAt,
    turn,
    lease: leaseOwner === undefined ? "none" : isLapsed ? "lapsed" : "held",
    isReady: notBefore <= now,
  };
}

/**
 * Leases documents of one partition and marks the partition as served. Returns `undefined` if one of the documents has changed.
 */
async function lease(
  { connection }: CosmosContext,
  entries: readonly Candidate[],
  next: Candidate | undefined,
  turn: number,
  options: AcquireOptions,
): Promise<readonly FoundHead[] | undefined> {
  const [first] = entries;
  if (!first) return [];
  const heads = entries.map(({ head }) => takenBy(head, options, connection.clock));
  const operations = entries.map(({ etag }, index) => replacement(heads[index], etag));
  if (next) operations.push(replacement({ ...next.head, turn }, next.etag));
  const results = await connection.batch(first.partitionKey, operations, options.signal);
  if (results.some(({ statusCode }) => statusCode >= 400)) return undefined;
  return heads.map((head, index) => ({ head, etag: results[index]?.eTag ?? "" }));
}

function replacement(head: Head | undefined, ifMatch: string): OperationInput {
  // The cast is safe, because item types contain only JSON values.
  const resourceBody = head as unknown as JSONObject;
  return { operationType: "Replace", id: head?.id ?? "", ifMatch, resourceBody } as OperationInput;
}
