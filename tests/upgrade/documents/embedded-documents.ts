import { PGlite } from "@electric-sql/pglite";
import type { SharedDocuments } from "./shared-documents.ts";
import { sqlDocuments } from "./sql-documents.ts";

/**
 * Returns access to documents in the embedded database. Only one process can open it at a time. Each call opens the database, so
 * the service must not be running.
 */
export function embeddedDocuments(directory: string): SharedDocuments {
  const query = async (sql: string, values: readonly unknown[]) => {
    await using database = await PGlite.create(directory);
    return await database.query<{ readonly [column: string]: unknown }>(sql, [...values]);
  };
  return {
    database: { kind: "embedded", directory },
    ...sqlDocuments(query),
    async [Symbol.asyncDispose]() {},
  };
}
