import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { type PostgresServer, startPostgres } from "@keelson/database/testing";
import pg from "pg";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import type { EarlierVersion } from "./earlier-versions.ts";
import { unpackFixture } from "./fixture.ts";
import { copyToPostgres, schemaOf } from "./postgres-database.ts";
import { checkTakenOver } from "./taken-over.ts";

/**
 * Defines one test per earlier version. In each test, the current version migrates and uses a PostgreSQL database that the
 * earlier version wrote.
 */
export function testPostgresDatabases(versions: readonly EarlierVersion[]): void {
  describe("databases of a PostgreSQL server", () => {
    let server: PostgresServer;
    let expectedSchema: readonly string[] | undefined;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server[Symbol.asyncDispose]());

    for (const { name } of versions)
      test(`a PostgreSQL database of ${name} is migrated to the schema of a new one, and its clusters remain usable`, {
        timeout: 900_000,
      }, async () => {
        using state = new StateDirectory();
        using fixture = await unpackFixture(name, state.path);
        const url = await server.createDatabase();
        await using database = await connected(url);
        {
          await using embedded = await PGlite.create(state.file("database"));
          await copyToPostgres(embedded, database.client);
        }
        await using world = Program.start("sim", "--state", state.path, "--ports", "auto");
        await world.says(/clusters/);
        const flags = ["--state", state.path, "--database", url, "--port", "0", "--metrics-port", "0"];
        await using provider = Program.start("rp", ...flags);
        const { rp }: { rp: string } = JSON.parse(await provider.says(/"rp"/));
        expectedSchema ??= await newSchema(server, state.path);
        assert.deepEqual(await schemaOf(database.client), expectedSchema);
        await using client = new ArmClient(state.file("endpoints.json"), rp);
        await checkTakenOver(client, fixture.facts);
      });
  });
}

async function newSchema(server: PostgresServer, state: string): Promise<readonly string[]> {
  const url = await server.createDatabase();
  const { code, stderr } = await Program.run("migrate", "--state", state, "--database", url);
  assert.equal(code, 0, stderr);
  await using database = await connected(url);
  return await schemaOf(database.client);
}

async function connected(url: string): Promise<AsyncDisposable & { readonly client: pg.Client }> {
  const client = new pg.Client(url);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
