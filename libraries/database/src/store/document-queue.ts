import { isCoded } from "@keelson/base";
import type { Document } from "../documents/collection.ts";
import type {
  AcquireIdleOptions,
  AcquireOptions,
  Lease,
  Leased,
  LeasedCollection,
  QueueLength,
  ReleaseOptions,
  RenewResult,
} from "../documents/lease.ts";
import { type Table, unexpired } from "../documents/table.ts";
import type { Row } from "../drivers/driver.ts";
import type { CollectionStore } from "./collection-store.ts";
import { leaseExpiryMs, leaseHolds, timeAfter } from "./commit-statement.ts";
import { documentCollection } from "./document-collection.ts";
import { decodeRow, documentColumns } from "./document-row.ts";
import { prepared, StatementBuilder } from "./statement-builder.ts";

/** Backoff, in ms, of a document with secrets that cannot be decrypted. */
const unreadableBackoffMs = 60_000;

/** Creates the read and lease operations of one table. All times are on the database's clock. */
export function documentQueue<T extends Document>(store: CollectionStore<T>): LeasedCollection<T> {
  return {
    ...documentCollection(store),
    acquire: (options) => acquire(store, options),
    acquireIdleById: (options) => acquireIdleById(store, options),
    renew: (lease, ttlMs, signal) => renew(store, lease, ttlMs, signal),
    release: (lease, options) => giveBack(store, lease, options),
    queueLength: (signal) => queueLength(store, signal),
    oldestQueuedSeconds: (signal) => oldestQueuedSeconds(store, signal),
  };
}

async function acquire<T extends Document>(
  store: CollectionStore<T>,
  options: AcquireOptions,
): Promise<readonly Leased<T>[]> {
  const leased: Leased<T>[] = [];
  while (leased.length < options.limit) {
    const rest = { ...options, limit: options.limit - leased.length };
    const rows = await (store.table.fair ? takeInTurn(store, rest) : take(store, rest));
    const decoded = await Promise.all(rows.map((row) => decodeLeased(store, row, options)));
    const readable = decoded.filter((each) => each !== undefined);
    leased.push(...readable);
    // If there were unreadable documents, they are now in backoff, and the next round leases other documents instead.
    if (readable.length === rows.length) break;
  }
  return leased;
}

/**
 * Leases documents with expired leases first, then documents without a lease. Each step uses a partial index. The cost grows only
 * with the number of documents in backoff. Waiting, leased and idle documents do not add cost.
 */
function take<T extends Document>(
  { connection, table }: CollectionStore<T>,
  { owner, ttlMs, limit, signal }: AcquireOptions,
): Promise<readonly Row[]> {
  const builder = new StatementBuilder();
  const count = builder.value(limit, "bigint");
  const order = queueOrder(table);
  const select = (condition: string, countOf: string) =>
    `select partition_key, id from ${table.name}
  where queue_position is not null and ${condition} and ${backoffOver}${due(table)}
  order by ${order} limit ${countOf} for update skip locked`;
  const text = `with lapsed as materialized (
  ${select("lease_owner is not null and lease_expires <= now()", count)}
), free as materialized (
  ${select("lease_owner is null", `${count} - (select count(*) from lapsed)`)}
), taken as (
  update ${table.name} t set lease_owner = ${builder.value(owner, "text")},
    lease_generation = nextval('lease_generation'), lease_expires = ${timeAfter(builder, ttlMs)},
    attempts = attempts + 1
  from (select * from lapsed union all select * from free) picked
  where t.partition_key = picked.partition_key and t.id = picked.id returning t.*
)
select ${documentColumns}, lease_generation::text as lease_generation, ${leaseExpiryMs}, attempts::text as attempts
from taken order by ${order}`;
  return connection.query(prepared(text), builder.values, signal);
}

/** Leases documents in rounds. Each round leases one document of each partition (migration 000040). */
function takeInTurn<T extends Document>(
  { connection, table }: CollectionStore<T>,
  { owner, ttlMs, limit, maxRunning = unlimited, signal }: AcquireOptions,
): Promise<readonly Row[]> {
  const builder = new StatementBuilder();
  const parameters = [
    builder.value(owner, "text"),
    builder.value(ttlMs / 1000, "double precision"),
    builder.value(limit, "bigint"),
    builder.value(maxRunning, "bigint"),
  ];
  const text =
    `select ${documentColumns}, lease_generation::text as lease_generation, ${leaseExpiryMs}, attempts::text as attempts` +
    ` from acquire_${table.name}(${parameters.join(", ")}) acquired order by acquired.lease_generation`;
  return connection.query(prepared(text), builder.values, signal);
}

const unlimited = 1_000_000_000;

/** This expression must be identical to the expression of the index. PostgreSQL then uses the index instead of reading rows. */
const backoffOver = "coalesce(not_before, '-infinity') <= now()";

async function acquireIdleById<T extends Document>(
  store: CollectionStore<T>,
  { partitionKey, id, owner, ttlMs, signal }: AcquireIdleOptions,
): Promise<Leased<T> | undefined> {
  const { connection, table } = store;
  const builder = new StatementBuilder();
  const text =
    `update ${table.name} set lease_owner = ${builder.value(owner, "text")},` +
    ` lease_generation = nextval('lease_generation'), lease_expires = ${timeAfter(builder, ttlMs)}` +
    ` where partition_key = ${builder.value(partitionKey, "text")} and id = ${builder.value(id, "text")}` +
    ` and queue_position is null and (lease_expires is null or lease_expires <= now())${unexpired(table)}` +
    ` returning ${documentColumns}, lease_generation::text as lease_generation, ${leaseExpiryMs}, attempts::text as attempts`;
  const [row] = await connection.query(prepared(text), builder.values, signal);
  if (!row) return undefined;
  const lease = leaseOf(store, row, owner);
  try {
    return openLeased(store, row, lease);
  } catch (error) {
    await giveBack(store, lease, { backoffMs: 0, signal });
    throw error;
  }
}

/** Returns the SQL condition for due documents. */
function due({ ordered }: Table): string {
  return ordered ? " and due_at <= now()" : "";
}

function queueOrder({ ordered }: Table): string {
  return ordered ? "due_at, priority, queue_position" : "queue_position";
}

async function decodeLeased<T extends Document>(
  store: CollectionStore<T>,
  row: Row,
  { owner, signal }: AcquireOptions,
): Promise<Leased<T> | undefined> {
  const lease = leaseOf(store, row, owner);
  try {
    return openLeased(store, row, lease);
  } catch (error) {
    logUnreadable(store, row, error);
    // The attempt does not count, because no worker received the document.
    await giveBack(store, lease, { backoffMs: unreadableBackoffMs, uncounted: true, signal });
    return undefined;
  }
}

function leaseOf<T extends Document>(store: CollectionStore<T>, row: Row, owner: string): Lease {
  return {
    collection: store.table.name,
    partitionKey: row.partition_key ?? "",
    id: row.id ?? "",
    owner,
    generation: Number(row.lease_generation),
    expiresAt: expiryOf(row),
  };
}

function openLeased<T extends Document>(store: CollectionStore<T>, row: Row, lease: Lease): Leased<T> {
  const stored = decodeRow(store, row);
  store.codec.openSecrets(stored.document);
  return { ...stored, lease, attempt: Number(row.attempts) };
}

/** Logs unreadable secrets. Rethrows other errors. */
function logUnreadable<T extends Document>(store: CollectionStore<T>, row: Row, error: unknown): void {
  if (!isCoded(error, "EncryptionKeyMissing") && !isCoded(error, "SecretTampered")) throw error;
  const { partition_key: partitionKey, id } = row;
  store.logger.error(
    { collection: store.table.name, partitionKey, documentId: id, code: error.code, reason: error.message },
    "document omitted: its secrets cannot be decrypted",
  );
}

async function renew<T extends Document>(
  { connection, table }: CollectionStore<T>,
  lease: Lease,
  ttlMs: number,
  signal: AbortSignal,
): Promise<RenewResult> {
  const builder = new StatementBuilder();
  const text =
    `update ${table.name} set lease_expires = ${timeAfter(builder, ttlMs)}` +
    ` where ${rowOf(builder, lease)} and ${leaseHolds(builder, lease)} returning ${leaseExpiryMs}`;
  const [row] = await connection.query(prepared(text), builder.values, signal);
  if (!row) return { kind: "lost" };
  return { kind: "renewed", lease: { ...lease, expiresAt: expiryOf(row) } };
}

async function giveBack<T extends Document>(
  { connection, table }: CollectionStore<T>,
  lease: Lease,
  { backoffMs, uncounted = false, signal }: ReleaseOptions,
): Promise<void> {
  const builder = new StatementBuilder();
  const text =
    `update ${table.name} set lease_owner = null, lease_expires = null,` +
    ` not_before = ${timeAfter(builder, backoffMs)}${uncounted ? ", attempts = greatest(attempts - 1, 0)" : ""}` +
    `${table.fair ? `, turn = ${turnAfterRelease(backoffMs)}` : ""}` +
    ` where ${rowOf(builder, lease)} and ${leaseHolds(builder, lease)}`;
  await connection.query(prepared(text), builder.values, signal);
}

/**
 * Returns SQL for the `turn` of a document after a release. After a failure, the document's partition is served last. A document
 * of a stopped worker is served first.
 */
function turnAfterRelease(backoffMs: number): string {
  if (backoffMs > 0) return "case when queue_position is not null then nextval('queue_position') end";
  return "case when queue_position is not null and attempts > 0 then 0 end";
}

async function queueLength<T extends Document>(
  { connection, table }: CollectionStore<T>,
  signal: AbortSignal,
): Promise<QueueLength> {
  const counted = (condition: string) =>
    `(select count(*) from ${table.name} where queue_position is not null and ${condition}${due(table)})`;
  const lapsed = counted("lease_owner is not null and lease_expires <= now()");
  const stopped = table.fair ? counted("lease_owner is null and turn = 0") : "0";
  const text = `select (${lapsed} + ${stopped})::text as begun, (${counted("lease_owner is null")} - ${stopped})::text as fresh`;
  const [row] = await connection.query(prepared(text), [], signal);
  return { begun: Number(row?.begun), fresh: Number(row?.fresh) };
}

async function oldestQueuedSeconds<T extends Document>(
  { connection, table }: CollectionStore<T>,
  signal: AbortSignal,
): Promise<number> {
  const text = `select extract(epoch from clock_timestamp() - min(queued_at))::text as oldest from ${table.name} where queue_position is not null`;
  const [row] = await connection.query(prepared(text), [], signal);
  return Number(row?.oldest ?? 0);
}

function rowOf(builder: StatementBuilder, lease: Lease): string {
  return `partition_key = ${builder.value(lease.partitionKey, "text")} and id = ${builder.value(lease.id, "text")}`;
}

function expiryOf(row: Row): Date {
  return new Date(Number(row.lease_expires_ms));
}
