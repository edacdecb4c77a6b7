import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { create, type Database, pgliteDriver, postgresDriver } from "@keelson/database";
import { startPostgres } from "@keelson/database/testing";
import type { definitions } from "@keelson/model";
import pg from "pg";
import { openBenchDatabase } from "./open-database.ts";
import { figure, printTable } from "./table.ts";

const durationMs = 3_000;
const text = JSON.stringify({ filler: "x".repeat(2_000) });
const createTable = "create table raw (id uuid primary key, body json not null)";
const insert = "insert into raw (id, body) values ($1, $2)";

/** Commits of one new document, beside a raw SQL insert of as many bytes, on the same server and concurrency. */
export async function benchStore(): Promise<void> {
  const rows: string[][] = [["store: one new document of 2 kB", "commits/s", "raw inserts/s", "ratio"]];
  await using postgres = await startPostgres();
  for (const concurrency of [1, 10]) {
    const url = await postgres.createDatabase();
    const raw = new pg.Pool({ connectionString: url, max: 10 });
    await raw.query(createTable);
    await using database = await openBenchDatabase(postgresDriver({ url }));
    const ours = await rate(concurrency, () => commitOne(database));
    const theirs = await rate(concurrency, () => raw.query(insert, [randomUUID(), text]));
    await raw.end();
    rows.push([`PostgreSQL, ${concurrency} at once`, figure(ours), figure(theirs), figure(ours / theirs)]);
  }
  const directory = mkdtempSync(join(tmpdir(), "keelson-bench-"));
  {
    await using database = await openBenchDatabase(pgliteDriver({ dataDir: join(directory, "ours") }));
    const raw = await PGlite.create(join(directory, "raw"));
    await raw.query(createTable);
    const ours = await rate(1, () => commitOne(database));
    const theirs = await rate(1, () => raw.query(insert, [randomUUID(), text]));
    await raw.close();
    rows.push(["PGlite on disk", figure(ours), figure(theirs), figure(ours / theirs)]);
  }
  rmSync(directory, { recursive: true, force: true });
  printTable(rows);
}

async function commitOne(database: Database<typeof definitions>): Promise<void> {
  const id = randomUUID();
  const document = {
    id,
    partitionKey: id,
    deleting: false,
    subscription: { state: "Registered" as const, filler: "x".repeat(2_000) },
  };
  const write = create(database.collections.subscriptions, document);
  const result = await database.commit(id, [write], { signal: new AbortController().signal });
  if (result.kind !== "committed") throw new Error(result.kind);
}

/** Calls per second. */
async function rate(concurrency: number, action: () => Promise<unknown>): Promise<number> {
  for (let i = 0; i < 50; i++) await action();
  const start = performance.now();
  let done = 0;
  const worker = async () => {
    while (performance.now() - start < durationMs) {
      await action();
      done++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return done / ((performance.now() - start) / 1000);
}
