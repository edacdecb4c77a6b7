import { isCoded } from "@keelson/base";
import type { Document } from "./collection.ts";
import { leaseHolds } from "./commit-statement.ts";
import { decodeRow, documentCollection, documentColumns } from "./document-collection.ts";
import type { Row } from "./driver.ts";
import type { AcquireOptions, Lease, Leased, LeasedCollection, RenewResult } from "./lease.ts";
import { prepared, StatementBuilder } from "./statement-builder.ts";
import type { CollectionStore } from "./store.ts";

/** How long a document whose secrets cannot be opened waits for its key before it is tried again. */
const unreadableBackoffMs = 60_000;

const leaseExpiryMs = "(extract(epoch from lease_expires) * 1000)::text as lease_expires_ms";

/** Reads and leases of one table. All times are the database's own. */
export function documentQueue<T extends Document>(store: CollectionStore<T>): LeasedCollection<T> {
  return {
    ...documentCollection(store),
    acquire: (options) => acquire(store, options),
    renew: (lease, ttlMs, signal) => renew(store, lease, ttlMs, signal),
    release: (lease, options) => release(store, lease, options),
    queueLength: (signal) => queueLength(store, signal),
  };
}

async function acquire<T extends Document>(
  store: CollectionStore<T>,
  options: AcquireOptions,
): Promise<readonly Leased<T>[]> {
  const leased: Leased<T>[] = [];
  while (leased.length < options.limit) {
    const rows = await take(store, { ...options, limit: options.limit - leased.length });
    const decoded = await Promise.all(rows.map((row) => decodeLeased(store, row, options)));
    const readable = decoded.filter((each) => each !== undefined);
    leased.push(...readable);
    // Unreadable ones took places, and back off now: others may wait behind them.
    if (readable.length === rows.length) break;
  }
  return leased;
}

/**
 * Walks the queue's partial index from its front. What it passes over is leased or backs off, so a call costs
 * as much as there are busy documents, however many others the table has.
 */
function take<T extends Document>(
  { connection, table }: CollectionStore<T>,
  { owner, ttlMs, limit, signal }: AcquireOptions,
): Promise<readonly Row[]> {
  const builder = new StatementBuilder();
  const text = `with picked as materialized (
  select partition_key, id from ${table.name}
  where queue_position is not null and (lease_expires is null or lease_expires <= now())
    and (not_before is null or not_before <= now())
  order by queue_position limit ${builder.value(limit, "bigint")} for update skip locked
), taken as (
  update ${table.name} t set lease_owner = ${builder.value(owner, "text")},
    lease_generation = nextval('lease_generation'), lease_expires = ${timeAfter(builder, ttlMs)},
    attempts = attempts + 1
  from picked where t.partition_key = picked.partition_key and t.id = picked.id returning t.*
)
select ${documentColumns}, lease_generation::text as lease_generation, ${leaseExpiryMs}, attempts::text as attempts
from taken order by queue_position`;
  return connection.query(prepared(text), builder.values, signal);
}

async function decodeLeased<T extends Document>(
  store: CollectionStore<T>,
  row: Row,
  { owner, signal }: AcquireOptions,
): Promise<Leased<T> | undefined> {
  const lease: Lease = {
    collection: store.table.name,
    partitionKey: row.partition_key ?? "",
    id: row.id ?? "",
    owner,
    generation: Number(row.lease_generation),
    expiresAt: expiryOf(row),
  };
  try {
    const stored = decodeRow(store, row);
    store.codec.openSecrets(stored.document);
    return { ...stored, lease, attempt: Number(row.attempts) };
  } catch (error) {
    logUnreadable(store, row, error);
    // No worker saw the document, so this was no attempt.
    await giveBack(store, lease, unreadableBackoffMs, ", attempts = attempts - 1", signal);
    return undefined;
  }
}

/** Rethrows what is not about the document's secrets. */
function logUnreadable<T extends Document>(store: CollectionStore<T>, row: Row, error: unknown): void {
  if (!isCoded(error, "EncryptionKeyMissing") && !isCoded(error, "SecretTampered")) throw error;
  const { partition_key: partitionKey, id } = row;
  store.logger.error(
    { collection: store.table.name, partitionKey, documentId: id, code: error.code, reason: error.message },
    "document left out: its secrets cannot be opened",
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

function release<T extends Document>(
  store: CollectionStore<T>,
  lease: Lease,
  { backoffMs, signal }: { readonly backoffMs: number; readonly signal: AbortSignal },
): Promise<void> {
  return giveBack(store, lease, backoffMs, "", signal);
}

async function giveBack<T extends Document>(
  { connection, table }: CollectionStore<T>,
  lease: Lease,
  backoffMs: number,
  alsoSet: string,
  signal: AbortSignal,
): Promise<void> {
  const builder = new StatementBuilder();
  const text =
    `update ${table.name} set lease_owner = null, lease_expires = null,` +
    ` not_before = ${timeAfter(builder, backoffMs)}${alsoSet}` +
    ` where ${rowOf(builder, lease)} and ${leaseHolds(builder, lease)}`;
  await connection.query(prepared(text), builder.values, signal);
}

async function queueLength<T extends Document>(
  { connection, table }: CollectionStore<T>,
  signal: AbortSignal,
): Promise<number> {
  const text =
    `select count(*)::text as length from ${table.name}` +
    " where queue_position is not null and (lease_expires is null or lease_expires <= now())";
  const [row] = await connection.query(prepared(text), [], signal);
  return Number(row?.length);
}

function rowOf(builder: StatementBuilder, lease: Lease): string {
  return `partition_key = ${builder.value(lease.partitionKey, "text")} and id = ${builder.value(lease.id, "text")}`;
}

function timeAfter(builder: StatementBuilder, ms: number): string {
  return `clock_timestamp() + make_interval(secs => ${builder.value(ms / 1000, "double precision")})`;
}

function expiryOf(row: Row): Date {
  return new Date(Number(row.lease_expires_ms));
}
