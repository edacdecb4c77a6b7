import { untilAborted } from "@keelson/base";
import {
  type LeaseUse,
  requestedLease,
  requestedLimit,
  requestedWrites,
} from "../documents/commit-request.ts";
import type { CommitOptions, CommitResult, QueueLimit, Write } from "../documents/database.ts";
import { errors } from "../documents/errors.ts";
import { isColumnText } from "../documents/table.ts";
import {
  type BatchPlan,
  type FoundHead,
  type PlannedOperation,
  planBatch,
  type ResolvedWrite,
} from "./batch-plan.ts";
import type { CosmosContext } from "./context.ts";
import { isHeld, leaseOf } from "./head.ts";
import {
  type DocumentItem,
  documentItem,
  documentItemId,
  hasHead,
  headItemId,
  isStorable,
  type Versioned,
} from "./items.ts";
import { findHead } from "./stored-head.ts";
import { UniqueValues } from "./unique-values.ts";

/**
 * Maximum number of attempts. Heads change during a commit because of heartbeats, acquisitions and other writers. More conflicts
 * indicate an error.
 */
const attempts = 50;

/** Applies all `writes` or none. @throws InvalidWrite, UndeclaredSecret, StoreUnavailable */
export function commit(
  context: CosmosContext,
  partitionKey: string,
  writes: readonly Write[],
  options: CommitOptions,
): Promise<CommitResult> {
  const condition = writes.find(({ kind }) => kind === "unchanged");
  if (!condition || "document" in condition) return commitNow(context, partitionKey, writes, options);
  // All commits with a condition on a document rewrite the head of this document. They are queued, because they would conflict
  // with each other.
  const name = JSON.stringify([condition.collection, partitionKey, condition.id]);
  const turn = context.turns.run(name, () => commitNow(context, partitionKey, writes, options));
  return untilAborted(turn, options.signal);
}

async function commitNow(
  context: CosmosContext,
  partitionKey: string,
  writes: readonly Write[],
  options: CommitOptions,
): Promise<CommitResult> {
  const { signal } = options;
  const resolved = resolve(context, partitionKey, writes);
  const leaseUse = requestedLease(context.definitions, partitionKey, options);
  const queueLimit = requestedLimit(context.definitions, options);
  if (resolved.length === 0 && !leaseUse) return { kind: "committed", etags: [] };
  const collision = collisionWithin(resolved);
  const values = new UniqueValues(context, partitionKey);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const heads = await readHeads(context, partitionKey, resolved, leaseUse, signal);
    if (leaseUse && !holds(context, heads, leaseUse)) return values.undo({ kind: "lease-lost" }, signal);
    const absent = absentWrite(resolved, heads);
    if (absent !== undefined) {
      return values.undo({ kind: "conflict", write: absent, reason: "absent" }, signal);
    }
    const changed = await changedCondition(context, partitionKey, resolved, signal);
    if (changed !== undefined) {
      return values.undo({ kind: "conflict", write: changed, reason: "changed" }, signal);
    }
    // The documents are counted after the heads of the conditions were read. A concurrent commit with a limit changes one of
    // these heads. If it adds a document after the count, this commit therefore fails.
    if (queueLimit && (await queuedIn(context, partitionKey, queueLimit, signal)) >= queueLimit.max) {
      return values.undo({ kind: "queue-full" }, signal);
    }
    if (collision) return values.undo(collision, signal);
    const refusal = await values.reserve(resolved, heads, signal);
    if (refusal === "again") continue;
    if (refusal) return values.undo(refusal, signal);
    const { connection } = context;
    const claimToken = values.token;
    const plan = planBatch({
      partitionKey,
      writes: resolved,
      heads,
      leaseUse,
      claimToken,
      clock: connection.clock,
    });
    const result = await send(context, partitionKey, plan, resolved, signal);
    if (result === "fenced") await values.restart(signal);
    else if (result === "again") await context.clock.sleep(Math.random() * Math.min(attempt, 10), signal);
    else if (result.kind === "committed") {
      await values.finish(signal);
      return result;
    } else return values.undo(result, signal);
  }
  throw errors.StoreUnavailable(
    `A commit in partition ${partitionKey} was overtaken ${attempts} times: too many write the same documents.`,
  );
}

function resolve(context: CosmosContext, partitionKey: string, writes: readonly Write[]): ResolvedWrite[] {
  const requested = requestedWrites(context.definitions, partitionKey, writes, (collection, id) =>
    isStorable(collection, partitionKey, id)
      ? undefined
      : "has NUL, is not valid Unicode, is empty, or is longer than Cosmos DB accepts",
  );
  return requested.map((each) => ({
    ...each,
    item: "document" in each.write ? documentItem(each.store, each.write.document) : undefined,
  }));
}

async function queuedIn(
  { connection }: CosmosContext,
  partitionKey: string,
  { collection }: QueueLimit,
  signal: AbortSignal,
): Promise<number> {
  const query = {
    query:
      'SELECT VALUE COUNT(1) FROM c WHERE c.kind = "head" AND c.collection = @collection AND IS_DEFINED(c["order"])',
    parameters: [{ name: "@collection", value: collection }],
  };
  const [count = 0] = await connection.query<number>(connection.documents, query, partitionKey, signal);
  return count;
}

/** Returns a collision if two writes of the commit have the same unique value. */
function collisionWithin(writes: readonly ResolvedWrite[]): CommitResult | undefined {
  const seen = new Set<string>();
  for (const [index, { item, store }] of writes.entries()) {
    for (const key of store.definition.unique) {
      const value = item?.keys[key];
      if (value === undefined) continue;
      const name = JSON.stringify([store.definition.name, key, value]);
      if (seen.has(name)) return { kind: "duplicate", write: index, key };
      seen.add(name);
    }
  }
  return undefined;
}

type Heads = ReadonlyMap<string, FoundHead>;

async function readHeads(
  { connection }: CosmosContext,
  partitionKey: string,
  writes: readonly ResolvedWrite[],
  leaseUse: LeaseUse | undefined,
  signal: AbortSignal,
): Promise<Heads> {
  const ids = new Set(
    writes
      .filter(({ write, store }) => write.kind !== "create" && hasHead(store.definition))
      .map(({ write, id }) => headItemId(write.collection, id)),
  );
  if (leaseUse && isColumnText(leaseUse.lease.id)) {
    ids.add(headItemId(leaseUse.lease.collection, leaseUse.lease.id));
  }
  const found = await Promise.all(
    [...ids].map(async (id) => ({ id, found: await findHead(connection, partitionKey, id, signal) })),
  );
  return new Map(found.flatMap(({ id, found }) => (found ? [[id, found]] : [])));
}

function holds({ connection }: CosmosContext, heads: Heads, { lease }: LeaseUse): boolean {
  const found = heads.get(headItemId(lease.collection, lease.id));
  return found !== undefined && isHeld(found.head, lease, connection.clock);
}

/** Returns the index of the first write to a missing document. A document is missing if it has no head. */
function absentWrite(writes: readonly ResolvedWrite[], heads: Heads): number | undefined {
  const index = writes.findIndex(
    ({ write, store, id }) =>
      write.kind !== "create" &&
      hasHead(store.definition) &&
      !heads.has(headItemId(store.definition.name, id)),
  );
  return index === -1 ? undefined : index;
}

/**
 * Returns the index of the first condition that is not met. The heads were read before this check. If a document changes later,
 * its head changes too, and the batch fails.
 */
async function changedCondition(
  { connection }: CosmosContext,
  partitionKey: string,
  writes: readonly ResolvedWrite[],
  signal: AbortSignal,
): Promise<number | undefined> {
  for (const [index, { write, id, store }] of writes.entries()) {
    if (write.kind !== "unchanged") continue;
    const itemId = documentItemId(store.definition.name, id);
    const { documents } = connection;
    const found = await connection.read<Versioned<DocumentItem>>(documents, partitionKey, itemId, signal);
    if (found?._etag !== write.etag) return index;
  }
  return undefined;
}

async function send(
  context: CosmosContext,
  partitionKey: string,
  { operations, leasedHeads }: BatchPlan,
  writes: readonly ResolvedWrite[],
  signal: AbortSignal,
): Promise<CommitResult | "again" | "fenced"> {
  const batch = operations.map(({ operation }) => operation);
  refuseLarge(batch, writes);
  const results = await context.connection.batch(partitionKey, batch, signal);
  const failed = results.findIndex(({ statusCode }) => statusCode >= 400 && statusCode !== 424);
  const cause = operations[failed];
  if (cause) return explain(cause, results[failed]?.statusCode ?? 0, writes);
  const etags = writes.map(({ write }) => (write.kind === "unchanged" ? write.etag : ""));
  for (const [index, { role, publishes, operation }] of operations.entries()) {
    const etag = results[index]?.eTag ?? "";
    if (role.kind === "write" && operation.operationType !== "Upsert") etags[role.index] = etag;
    if (publishes) context.publishChange(etag, publishes);
  }
  return {
    kind: "committed",
    etags,
    ...(leasedHeads.length > 0 ? { leases: leasedHeads.map(leaseOf) } : {}),
  };
}

/** Maximum size of a batch in bytes. */
const maxBatchBytes = 2 * 1024 * 1024;

/** Rejects a batch that is too large. The SDK does not report a specific error for such a batch. */
function refuseLarge(batch: readonly object[], writes: readonly ResolvedWrite[]): void {
  const least = writes.reduce((sum, { item }) => sum + (item?.body.length ?? 0), 0);
  // If this estimate is far below the limit, the exact size of the batch is not computed.
  if (least < maxBatchBytes / 8 || Buffer.byteLength(JSON.stringify(batch)) <= maxBatchBytes) return;
  throw errors.InvalidWrite("Cosmos DB limits a commit to 2 MB: write fewer documents in one commit.");
}

function explain(
  { role }: PlannedOperation,
  status: number,
  writes: readonly ResolvedWrite[],
): CommitResult | "again" | "fenced" {
  // The result "again" repeats the commit. Cosmos DB requests this with status 429 or 449. A head that was changed or removed is
  // then read again.
  if (status === 429 || status === 449) return "again";
  if (![404, 409, 412].includes(status)) {
    throw errors.InvalidWrite(`Cosmos DB rejected a document of the commit with status ${status}.`);
  }
  if (role.kind === "head") return "again";
  if (role.kind === "claim") return "fenced";
  const { index } = role;
  if (writes[index]?.write.kind === "create") return { kind: "conflict", write: index, reason: "exists" };
  return { kind: "conflict", write: index, reason: status === 404 ? "absent" : "changed" };
}
