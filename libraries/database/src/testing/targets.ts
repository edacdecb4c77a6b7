import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pgliteDriver } from "../pglite/driver.ts";
import { postgresDriver } from "../postgres/driver.ts";
import { openCosmosStore, startTestCosmos } from "./cosmos-store.ts";
import { freshMemoryDriver } from "./memory-driver.ts";
import { startPostgres } from "./postgres.ts";
import { openTestStore } from "./sql-store.ts";
import type { TargetKind } from "./test-store.ts";

const sql = { hasTables: true, writesPerCommit: 100, hasLongNames: true };

/** Stores with which the test suite runs. */
export const targets: Readonly<Record<string, TargetKind>> = {
  "PGlite in memory": {
    ...sql,
    start: async () => ({
      open: async (keyring) => openTestStore(await freshMemoryDriver(), keyring),
      async [Symbol.asyncDispose]() {},
    }),
  },
  "PGlite on disk": {
    ...sql,
    async start() {
      const directory = await mkdtemp(join(tmpdir(), "keelson-pglite-"));
      return {
        open: (keyring) => openTestStore(pgliteDriver({ dataDir: join(directory, "data") }), keyring),
        [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
      };
    },
  },
  PostgreSQL: {
    ...sql,
    async start() {
      const server = await startPostgres();
      return {
        open: async (keyring) =>
          openTestStore(postgresDriver({ url: await server.createDatabase() }), keyring),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
  "Cosmos DB": {
    hasTables: false,
    writesPerCommit: 30,
    hasLongNames: false,
    async start() {
      const account = await startTestCosmos();
      return {
        open: (keyring) => openCosmosStore(account, keyring),
        [Symbol.asyncDispose]: () => account[Symbol.asyncDispose](),
      };
    },
  },
};
