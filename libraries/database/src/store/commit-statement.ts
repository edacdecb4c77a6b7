import { type Document, ttlSecondsOf } from "../documents/collection.ts";
import type { LeaseUse } from "../documents/commit-request.ts";
import type { NewLease, QueueLimit, Write } from "../documents/database.ts";
import { errors } from "../documents/errors.ts";
import type { Lease } from "../documents/lease.ts";
import { isColumnText, unexpired } from "../documents/table.ts";
import type { SqlValue, Statement } from "../drivers/driver.ts";
import { announceLater } from "./announcer.ts";
import type { CollectionStore } from "./collection-store.ts";
import { prepared, StatementBuilder, type ValuePlaces } from "./statement-builder.ts";

/** Requested write with its collection. */
export interface ResolvedWrite extends CollectionStore<Document> {
  readonly write: Write;
  readonly id: string;
}

/** Maximum number of writes in a prepared statement. Larger commits are too rare to be prepared. */
export const preparedWrites = 4;

/**
 * Builds a commit as a single statement, which is atomic and takes one round trip. The writes are common table expressions. If a
 * write has no effect, the outer query raises KE001 with the write's index, or with -1 for the lease (see `require_effect` in
 * `sql/`). The server executes the expressions in the order of the outer query. The lease is first, so that all commits lock rows
 * in the same order. This prevents deadlocks.
 */
export function commitStatement(
  partitionKey: string,
  writes: readonly ResolvedWrite[],
  leaseUse: LeaseUse | undefined,
  queueLimit: QueueLimit | undefined,
  announcesLater: boolean,
): { readonly statement: Statement; readonly values: readonly SqlValue[] } {
  const builder = new StatementBuilder();
  const parts: string[] = [];
  const effects: string[] = announcesLater ? [announceLater] : [];
  const leased = writes.findIndex((each) => leaseUse !== undefined && isLeased(each, leaseUse.lease));
  if (leaseUse && leased === -1) {
    parts.push(`held as (${holdLease(builder, leaseUse)})`);
    effects.push("require_effect((select held from held), -1)");
  }
  if (queueLimit) {
    const partition = builder.value(partitionKey, "text");
    effects.push(requireRoom(queueLimit.collection, partition, "1", builder.value(queueLimit.max, "bigint")));
  }
  for (const { index, each } of inLockOrder(writes)) {
    // A statement can change a row only once. If the commit writes the leased document, that write also updates the lease.
    const ownLease = index === leased ? leaseUse : undefined;
    parts.push(`write${index} as (${writeSql(builder, partitionKey, each, ownLease)})`);
    effects.push(`require_effect((select etag from write${index}), ${index}) as etag${index}`);
    if (each.write.kind === "create" && each.write.lease) {
      effects.push(`(select lease_generation from write${index}) as generation${index}`);
      effects.push(`(select lease_expires_ms from write${index}) as expires${index}`);
    }
  }
  const text = `with ${parts.join(",\n")}\nselect ${effects.join(", ")}`;
  return { statement: writes.length > preparedWrites ? { text } : prepared(text), values: builder.values };
}

/**
 * Returns SQL that raises KE002 if the partition's queue has no room for the added documents. Concurrent checks of a partition
 * wait for each other.
 */
export function requireRoom(collection: string, partition: string, added: string, max: string): string {
  return `require_room_in_${collection}(${partition}, ${added}, ${max})`;
}

function inLockOrder(writes: readonly ResolvedWrite[]) {
  const numbered = writes.map((each, index) => ({ index, each, place: `${each.table.name}/${each.id}` }));
  return numbered.sort((one, other) => (one.place < other.place ? -1 : 1));
}

export function isLeased(each: ResolvedWrite, lease: Lease): boolean {
  const { kind } = each.write;
  const changes = kind === "replace" || kind === "remove";
  return changes && each.table.name === lease.collection && each.id === lease.id;
}

/** Returns the SQL condition for a valid lease, by the database's current clock. */
export function leaseHolds(builder: StatementBuilder, lease: Lease): string {
  return (
    `lease_owner = ${builder.value(lease.owner, "text")}` +
    ` and lease_generation = ${builder.value(lease.generation, "bigint")} and lease_expires > clock_timestamp()`
  );
}

export const leaseExpiryMs = "(extract(epoch from lease_expires) * 1000)::text as lease_expires_ms";

export function timeAfter(builder: ValuePlaces, ms: number): string {
  return `clock_timestamp() + make_interval(secs => ${builder.value(ms / 1000, "double precision")})`;
}

const endLease = "lease_owner = null, lease_expires = null, attempts = 0, not_before = null";

function holdLease(builder: StatementBuilder, { lease, release }: LeaseUse): string {
  const row =
    `partition_key = ${builder.value(lease.partitionKey, "text")} and id = ${builder.value(lease.id, "text")}` +
    ` and ${leaseHolds(builder, lease)}`;
  return release
    ? `update ${lease.collection} set ${endLease} where ${row} returning id as held`
    : `select id as held from ${lease.collection} where ${row} for update`;
}

function writeSql(
  builder: StatementBuilder,
  partitionKey: string,
  each: ResolvedWrite,
  leaseUse: LeaseUse | undefined,
): string {
  const { write, table } = each;
  if (write.kind === "create") return insertSql(builder, each, write.document, write.lease);
  const row = [
    `partition_key = ${builder.value(partitionKey, "text")}`,
    `id = ${builder.value(each.id, "text")}`,
    `etag::text = ${builder.value(write.etag, "text")}${unexpired(table)}`,
    ...(leaseUse ? [leaseHolds(builder, leaseUse.lease)] : []),
  ].join(" and ");
  if (write.kind === "unchanged") return `select etag::text from ${table.name} where ${row} for share`;
  if (write.kind === "remove") return `delete from ${table.name} where ${row} returning '' as etag`;
  const sets = [
    ...columnValues(builder, each, write.document).map(([column, value]) => `${column} = ${value}`),
    ...dueValues(builder, each, write.document).map(([column, value]) => `${column} = ${value}`),
    ...queueSets(builder, each, write.document, leaseUse),
  ];
  return `update ${table.name} set ${sets.join(", ")} where ${row} returning etag::text`;
}

function insertSql(
  builder: StatementBuilder,
  each: ResolvedWrite,
  document: Document,
  lease: NewLease | undefined,
): string {
  const { names, values } = insertedColumns(builder, each, document, lease);
  const response = lease ? `etag::text, lease_generation::text, ${leaseExpiryMs}` : "etag::text";
  return `insert into ${each.table.name} (${names}) values (${values}) returning ${response}`;
}

/** Returns the columns of a new row and their SQL values, both as lists. */
export function insertedColumns(
  builder: ValuePlaces,
  each: ResolvedWrite,
  document: Document,
  lease?: NewLease,
): { readonly names: string; readonly values: string } {
  const { definition } = each;
  const columns: [string, string][] = [
    ["partition_key", builder.value(document.partitionKey, "text")],
    ["id", builder.value(document.id, "text")],
    ...columnValues(builder, each, document),
  ];
  if (definition.queued) {
    const queued = builder.value(definition.queued(document), "boolean");
    columns.push(["queued_at", `case when ${queued} then clock_timestamp() end`]);
    columns.push(["queue_position", `case when ${queued} then nextval('queue_position') end`]);
  }
  if (lease) {
    columns.push(["lease_owner", builder.value(lease.owner, "text")]);
    columns.push(["lease_generation", "nextval('lease_generation')"]);
    columns.push(["lease_expires", timeAfter(builder, lease.ttlMs)]);
    columns.push(["attempts", "1"]);
  }
  columns.push(...dueValues(builder, each, document));
  return {
    names: columns.map(([name]) => name).join(", "),
    values: columns.map(([, value]) => value).join(", "),
  };
}

/** Returns the columns that every write sets, with their SQL values. */
function columnValues(builder: ValuePlaces, each: ResolvedWrite, document: Document): [string, string][] {
  const { table, definition, codec, keyring } = each;
  const ttlSeconds = ttlSecondsOf(definition, document);
  const expiry =
    ttlSeconds === undefined
      ? "null"
      : `clock_timestamp() + make_interval(secs => ${builder.value(ttlSeconds, "double precision")})`;
  return [
    ["etag", "nextval('document_etag')"],
    ["body", builder.value(codec.encode(document), "json")],
    ["updated_at", "clock_timestamp()"],
    ["expires_at", expiry],
    // The statement and the encryption use the same key ID, because the current key cannot change between them.
    ...(table.sealed
      ? [["sealed_key_id", builder.value(keyring.currentKeyId(), "text")] satisfies [string, string]]
      : []),
    ...table.columns.map(({ key, column }): [string, string] => {
      const value = definition.keys[key]?.(document);
      if (!isColumnText(value)) {
        throw errors.InvalidWrite(
          `Key ${key} of document ${document.id} in ${table.name} has NUL or is not valid Unicode.`,
        );
      }
      return [column, builder.value(value, typeof value === "number" ? "bigint" : "text")];
    }),
  ];
}

function dueValues(
  builder: ValuePlaces,
  { definition }: ResolvedWrite,
  document: Document,
): [string, string][] {
  const due = definition.due?.(document);
  if (!due) return [];
  const seconds = builder.value(due.at.getTime() / 1000, "double precision");
  return [
    ["due_at", `to_timestamp(${seconds})`],
    ["priority", builder.value(due.priority, "bigint")],
  ];
}

/** Resets the lease and turn of a new queue entry. The document may still have the expired lease of a crashed worker. */
function fairEntry(queued: string): string[] {
  const isStale = `${queued} and queued_at is null and lease_expires <= clock_timestamp()`;
  return [
    `turn = case when ${queued} and queued_at is not null then turn end`,
    `lease_owner = case when ${isStale} then null else lease_owner end`,
    `lease_expires = case when ${isStale} then null else lease_expires end`,
  ];
}

/**
 * Returns the assignments of the queue columns. A document enters at the end of the queue with zero attempts. A queued document
 * keeps its position.
 */
function queueSets(
  builder: StatementBuilder,
  { definition, table }: ResolvedWrite,
  document: Document,
  leaseUse: LeaseUse | undefined,
): string[] {
  if (!definition.queued) return [];
  const queued = builder.value(definition.queued(document), "boolean");
  return [
    `queued_at = case when ${queued} then coalesce(queued_at, clock_timestamp()) end`,
    `queue_position = case when ${queued} then coalesce(queue_position, nextval('queue_position')) end`,
    ...(leaseUse?.release
      ? [endLease]
      : [
          ...(table.fair ? fairEntry(queued) : []),
          `attempts = case when ${queued} and queued_at is not null then attempts else 0 end`,
          `not_before = case when ${queued} and queued_at is not null then not_before end`,
        ]),
  ];
}
