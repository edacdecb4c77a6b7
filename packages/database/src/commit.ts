import { setTimeout as delay } from "node:timers/promises";
import type { Document } from "./collection.ts";
import {
  commitStatement,
  isLeased,
  type LeaseUse,
  leaseHolds,
  type ResolvedWrite,
} from "./commit-statement.ts";
import type { CommitOptions, CommitResult, Write } from "./database.ts";
import { type Connection, type Row, type SqlFailure, sqlFailure } from "./driver.ts";
import { errors } from "./errors.ts";
import type { Lease } from "./lease.ts";
import { StatementBuilder } from "./statement-builder.ts";
import type { CollectionStore } from "./store.ts";
import { isColumnText, type KeyColumn, unexpired } from "./table.ts";

export type CollectionStores = ReadonlyMap<string, CollectionStore<Document>>;

/** Deadlocks and expired documents in the way go away by trying again; more often than this, something is wrong. */
const attempts = 5;

/** Does all of `writes`, or none. @throws InvalidWrite, UndeclaredSecret, StoreUnavailable */
export async function commit(
  connection: Connection,
  stores: CollectionStores,
  partitionKey: string,
  writes: readonly Write[],
  options: CommitOptions,
): Promise<CommitResult> {
  const { signal } = options;
  const resolved = resolve(stores, partitionKey, writes);
  const leaseUse = leaseUseOf(stores, partitionKey, options);
  if (resolved.length === 0 && !leaseUse) return { kind: "committed", etags: [] };
  const { statement, values } = commitStatement(partitionKey, resolved, leaseUse);
  for (let attempt = 1; ; attempt++) {
    try {
      const [row] = await connection.query(statement, values, signal);
      return { kind: "committed", etags: resolved.map((_, index) => row?.[`etag${index}`] ?? "") };
    } catch (error) {
      const failure = sqlFailure(error);
      if (!failure) throw error;
      const result = await explain(connection, failure, partitionKey, resolved, leaseUse?.lease, signal);
      if (result === "unknown" || (result === "again" && attempt === attempts)) throw error;
      if (result !== "again") return result;
      await delay(Math.random() * 10 * attempt, undefined, { signal });
    }
  }
}

function resolve(stores: CollectionStores, partitionKey: string, writes: readonly Write[]): ResolvedWrite[] {
  const seen = new Set<string>();
  return writes.map((write) => {
    const store = stores.get(write.collection);
    if (!store) throw errors.InvalidWrite(`There is no collection ${write.collection}.`);
    const id = write.kind === "remove" ? write.id : write.document.id;
    if (write.kind !== "remove" && write.document.partitionKey !== partitionKey) {
      throw errors.InvalidWrite(
        `Document ${id} is not of partition ${partitionKey}: a commit lies in one partition.`,
      );
    }
    if (!isColumnText(id) || !isColumnText(partitionKey)) {
      throw errors.InvalidWrite(`An ID or partition key in ${write.collection} has NUL or is no Unicode.`);
    }
    const key = JSON.stringify([write.collection, id]);
    if (seen.has(key))
      throw errors.InvalidWrite(`A commit writes document ${id} of ${write.collection} twice.`);
    seen.add(key);
    return { write, id, table: store.table, definition: store.definition, codec: store.codec };
  });
}

function leaseUseOf(
  stores: CollectionStores,
  partitionKey: string,
  { lease, release = false }: CommitOptions,
): LeaseUse | undefined {
  if (!lease) {
    if (release) throw errors.InvalidWrite("A commit can release only the lease that it carries.");
    return undefined;
  }
  // The name goes into SQL as it is, so it must be one of ours.
  if (!stores.get(lease.collection)?.table.leased) {
    throw errors.InvalidWrite(`${lease.collection} is no collection with leases.`);
  }
  if (lease.partitionKey !== partitionKey) {
    throw errors.InvalidWrite(
      `The lease is not of partition ${partitionKey}: a commit lies in one partition.`,
    );
  }
  return { lease, release };
}

/** Why the statement failed. The answer describes the moment after; that nothing was written is certain. */
async function explain(
  connection: Connection,
  failure: SqlFailure,
  partitionKey: string,
  writes: readonly ResolvedWrite[],
  lease: Lease | undefined,
  signal: AbortSignal,
): Promise<CommitResult | "again" | "unknown"> {
  const deadlocks = ["40001", "40P01"];
  if (deadlocks.includes(failure.state)) return "again";
  if (failure.state !== "KE001" && failure.state !== "23505") return "unknown";
  if (lease && !(await holds(connection, lease, signal))) return { kind: "lease-lost" };
  if (failure.state === "23505") return explainDuplicate(connection, failure, partitionKey, writes, signal);
  const index = Number(failure.detail);
  const each = writes[index];
  // The lease held a moment later after all: it was renewed by its owner meanwhile.
  if (!each || each.write.kind === "create") return "again";
  const found = await findVersion(connection, partitionKey, each, signal);
  if (!found) return { kind: "conflict", write: index, reason: "absent" };
  if (found.etag === each.write.etag && lease && isLeased(each, lease)) return "again";
  return { kind: "conflict", write: index, reason: "changed" };
}

async function holds(connection: Connection, lease: Lease, signal: AbortSignal): Promise<boolean> {
  const builder = new StatementBuilder();
  const text =
    `select id from ${lease.collection} where partition_key = ${builder.value(lease.partitionKey, "text")}` +
    ` and id = ${builder.value(lease.id, "text")} and ${leaseHolds(builder, lease)}`;
  return (await connection.query({ text }, builder.values, signal)).length > 0;
}

async function findVersion(
  connection: Connection,
  partitionKey: string,
  { table, id }: ResolvedWrite,
  signal: AbortSignal,
): Promise<Row | undefined> {
  const text = `select etag::text from ${table.name} where partition_key = $1 and id = $2${unexpired(table)}`;
  const [row] = await connection.query({ text }, [partitionKey, id], signal);
  return row;
}

/** Finds which write met a row with its ID, or with its value of a unique key. */
async function explainDuplicate(
  connection: Connection,
  failure: SqlFailure,
  partitionKey: string,
  writes: readonly ResolvedWrite[],
  signal: AbortSignal,
): Promise<CommitResult | "again" | "unknown"> {
  const unique = writes
    .map((each) =>
      each.table.name === failure.table ? each.table.uniqueIndexes.get(failure.constraint ?? "") : undefined,
    )
    .find((column) => column !== undefined);
  if (!unique && failure.constraint !== `${failure.table}_pkey`) return "unknown";
  let suspect: number | undefined;
  for (const [index, each] of writes.entries()) {
    const { write, table, id } = each;
    if (table.name !== failure.table || write.kind === "remove") continue;
    if (!unique && write.kind !== "create") continue;
    const other = otherRow(each, write.document, partitionKey, unique);
    if (!other) continue;
    suspect = index;
    if (table.ttlSeconds !== undefined) {
      const swept = `delete from ${table.name} where ${other.where} and expires_at <= now() returning id`;
      if ((await connection.query({ text: swept }, other.values, signal)).length > 0) return "again";
    }
    const text = `select id, partition_key from ${table.name} where ${other.where}`;
    const rows = await connection.query({ text }, other.values, signal);
    const isOther = (row: Row) =>
      write.kind === "create" || row.id !== id || row.partition_key !== partitionKey;
    if (rows.some(isOther)) break;
  }
  // When no row is in the way any more, either it has just gone or two writes of this commit collide.
  if (suspect === undefined) return "unknown";
  if (unique) return { kind: "duplicate", write: suspect, key: unique.key };
  return { kind: "conflict", write: suspect, reason: "exists" };
}

function otherRow(
  { id, definition }: ResolvedWrite,
  document: Document,
  partitionKey: string,
  unique: KeyColumn | undefined,
): { readonly where: string; readonly values: readonly (string | number)[] } | undefined {
  if (!unique) return { where: "partition_key = $1 and id = $2", values: [partitionKey, id] };
  const value = definition.keys[unique.key]?.(document);
  return value === undefined ? undefined : { where: `${unique.column} = $1`, values: [value] };
}
