import { PGlite } from "@electric-sql/pglite";
import type { SharedDocuments } from "./shared-documents.ts";
import { sqlDocuments } from "./sql-documents.ts";

/**
 * Documents in the embedded database, which one process can open at a time. Each call opens it while no process
 * of the service runs.
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
