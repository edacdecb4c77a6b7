import { startPostgres } from "@keelson/database/testing";
import pg from "pg";
import type { SharedDocuments } from "./shared-documents.ts";
import { sqlDocuments } from "./sql-documents.ts";

/** Returns access to documents in a separate PostgreSQL server. */
export async function postgresDocuments(): Promise<SharedDocuments> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres());
  const url = await server.createDatabase();
  const client = new pg.Client(url);
  await client.connect();
  stack.defer(() => client.end());
  const kept = stack.move();
  return {
    database: { kind: "postgres", url },
    ...sqlDocuments((sql, values) => client.query(sql, [...values])),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
