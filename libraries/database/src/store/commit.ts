import { setTimeout as delay } from "node:timers/promises";
import type { Document } from "../documents/collection.ts";
import {
  requestedLease,
  requestedLimit,
  requestedWrites,
  type StoresByName,
} from "../documents/commit-request.ts";
import type { CommitOptions, CommitResult, Write } from "../documents/database.ts";
import type { Lease } from "../documents/lease.ts";
import { isColumnText, type KeyColumn, unexpired } from "../documents/table.ts";
import { type Connection, type Row, type SqlFailure, sqlFailure } from "../drivers/driver.ts";
import type { Announcer } from "./announcer.ts";
import type { CollectionStore } from "./collection-store.ts";
import { commitStatement, isLeased, leaseHolds, type ResolvedWrite } from "./commit-statement.ts";
import type { CreateBatch } from "./create-batch.ts";
import { StatementBuilder } from "./statement-builder.ts";

export type CollectionStores = StoresByName<CollectionStore<Document>>;

/** Maximum number of attempts after deadlocks and conflicts with expired documents. */
const attempts = 5;

export interface CommitContext {
  readonly connection: Connection;
  readonly announcer: Announcer | undefined;
  readonly stores: CollectionStores;
  readonly creations: CreateBatch;
}

/** Applies all `writes` or none. @throws InvalidWrite, UndeclaredSecret, StoreUnavailable */
export async function commit(
  { connection, announcer, stores, creations }: CommitContext,
  partitionKey: string,
  writes: readonly Write[],
  options: CommitOptions,
): Promise<CommitResult> {
  const { signal } = options;
  const isHeldByColumns = isColumnText(partitionKey);
  const requested = requestedWrites(stores, partitionKey, writes, (_, id) =>
    isHeldByColumns && isColumnText(id) ? undefined : "has NUL or is not valid Unicode",
  );
  const resolved = requested.map(({ store, ...each }) => ({ ...each, ...store }));
  // Validates the collection's name before it is used in SQL.
  const leaseUse = requestedLease(stores, partitionKey, options);
  const queueLimit = requestedLimit(stores, options);
  if (resolved.length === 0 && !leaseUse) return { kind: "committed", etags: [] };
  const together = leaseUse ? undefined : await creations.commit(partitionKey, resolved, queueLimit, signal);
  if (together) {
    announcer?.committed();
    return together;
  }
  const announcesLater = announcer !== undefined;
  const { statement, values } = commitStatement(partitionKey, resolved, leaseUse, queueLimit, announcesLater);
  for (let attempt = 1; ; attempt++) {
    try {
      const [row] = await connection.query(statement, values, signal);
      announcer?.committed();
      const leases = newLeases(partitionKey, resolved, row ?? {});
      return {
        kind: "committed",
        etags: resolved.map((_, index) => row?.[`etag${index}`] ?? ""),
        ...(leases.length > 0 ? { leases } : {}),
      };
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

function newLeases(partitionKey: string, writes: readonly ResolvedWrite[], row: Row): readonly Lease[] {
  return writes.flatMap(({ write, table, id }, index) => {
    if (write.kind !== "create" || !write.lease) return [];
    const generation = Number(row[`generation${index}`]);
    const expiresAt = new Date(Number(row[`expires${index}`]));
    return [{ collection: table.name, partitionKey, id, owner: write.lease.owner, generation, expiresAt }];
  });
}

/** Determines the reason of a failed commit from the current state. Nothing was written. */
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
  if (!["KE001", "KE002", "23505"].includes(failure.state)) return "unknown";
  if (lease && !(await holds(connection, lease, signal))) return { kind: "lease-lost" };
  if (failure.state === "KE002") return { kind: "queue-full" };
  if (failure.state === "23505") return explainDuplicate(connection, failure, partitionKey, writes, signal);
  const index = Number(failure.detail);
  const each = writes[index];
  // Without a write, the lease was the cause of the failure. It is valid now, because its owner has renewed it since the commit.
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

/** Finds the write that conflicts with a row, by its ID or by a unique key. */
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
    if (table.name !== failure.table || !("document" in write)) continue;
    if (!unique && write.kind !== "create") continue;
    const other = otherRow(each, write.document, partitionKey, unique);
    if (!other) continue;
    suspect = index;
    if (table.expires) {
      const swept = `delete from ${table.name} where ${other.where} and expires_at <= now() returning id`;
      if ((await connection.query({ text: swept }, other.values, signal)).length > 0) return "again";
    }
    const text = `select id, partition_key from ${table.name} where ${other.where}`;
    const rows = await connection.query({ text }, other.values, signal);
    const isOther = (row: Row) =>
      write.kind === "create" || row.id !== id || row.partition_key !== partitionKey;
    if (rows.some(isOther)) break;
  }
  // No row conflicts anymore. Either the row was just removed, or two writes of this commit conflict.
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
