import assert from "node:assert/strict";
import type { JournalRow } from "./journal.ts";

/** Stored document of any version. */
// biome-ignore lint/suspicious/noExplicitAny: documents of versions that differ
export type Body = any;

/** Read access to the service's documents in any database. */
export interface StoredDocuments {
  list(collection: string): Promise<readonly Body[]>;
}

export type Query = (
  sql: string,
  values: readonly unknown[],
) => Promise<{ readonly rows: readonly { readonly [column: string]: unknown }[] }>;

/** Returns access to documents in SQL tables. Each row contains one document as JSON. */
export function documentsInTables(query: Query): StoredDocuments {
  return {
    async list(collection) {
      const { rows } = await query(`select body::text as body from ${collection}`, []);
      return rows.map(({ body }): Body => JSON.parse(String(body)));
    },
  };
}

export async function readJournal(documents: StoredDocuments): Promise<ReadonlyMap<string, JournalRow>> {
  const rows: readonly JournalRow[] = await documents.list("journal");
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the number of operations. @throws AssertionError if an operation is running or failed */
export async function endedOperations(documents: StoredDocuments): Promise<number> {
  const operations = await documents.list("async_operations");
  for (const { asyncOperation } of operations) {
    assert.ok(asyncOperation.endTime, `an operation is ${asyncOperation.status} and has no end`);
    assert.equal(asyncOperation.status, "Succeeded");
  }
  return operations.length;
}

/** Returns the failed steps of a cluster's operations with their errors. */
export async function failedSteps(documents: StoredDocuments, name: string): Promise<readonly object[]> {
  const rows = await documents.list("journal");
  return rows
    .filter(
      ({ state, openShiftClusterKey = "" }) => state === "failed" && openShiftClusterKey.endsWith(`/${name}`),
    )
    .map(({ step, error }) => ({ step, error }));
}
