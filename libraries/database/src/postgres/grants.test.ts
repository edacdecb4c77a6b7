import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { silentLogger } from "@keelson/base";
import pg from "pg";
import { create } from "../documents/database.ts";
import { grantDatabase } from "../grant-database.ts";
import type { RoleAccess } from "../grants/access.ts";
import { openDatabase } from "../open.ts";
import { pgliteDriver } from "../pglite/driver.ts";
import { type PostgresServer, startPostgres } from "../testing/postgres.ts";
import { testDefinitions, testKeyring } from "../testing/test-documents.ts";
import { postgresDriver } from "./driver.ts";

const signal = AbortSignal.timeout(900_000);
const logger = silentLogger;
const writer: RoleAccess<typeof testDefinitions> = {
  sweeps: true,
  collections: { journal: ["read", "create", "replace"] },
};
const reader: RoleAccess<typeof testDefinitions> = { sweeps: false, collections: { journal: ["read"] } };

let server: PostgresServer;
let url: string;
let owner: pg.Client;

before(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  await using _ = await openDatabase({ ...options(), keyring: testKeyring() });
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`create role "App One" login password 'p'; create role other login password 'p'`);
});
after(async () => {
  await owner.end();
  await server[Symbol.asyncDispose]();
});

const options = () => ({ driver: postgresDriver({ url }), definitions: testDefinitions, logger, signal });
const grant = (login: string, roles: readonly RoleAccess<typeof testDefinitions>[], dryRun = false) =>
  grantDatabase({ ...options(), roles: new Map([[login, roles]]), dryRun });

function openAs(login: string, use: "documents" | "reads") {
  const own = new URL(url);
  own.username = encodeURIComponent(login);
  own.password = "p";
  const { journal } = testDefinitions;
  const driver = postgresDriver({ url: own.href });
  const migrations = "require" as const;
  return openDatabase({
    driver,
    definitions: { journal },
    keyring: testKeyring(),
    use,
    migrations,
    logger,
    signal,
  });
}

test("a dry run returns the statements, a run applies them once, and the role can write its collection only", async () => {
  const planned = await grant("App One", [writer], true);
  assert.ok(
    planned.includes('grant delete, insert, select, update on table journal to "App One"'),
    `${planned}`,
  );
  assert.deepEqual(await grant("App One", [writer]), planned);
  assert.deepEqual(await grant("App One", [writer]), []);

  await using database = await openAs("App One", "documents");
  const { journal } = database.collections;
  const entry = { id: "1", partitionKey: "s", operationId: "o" };
  assert.equal((await database.commit("s", [create(journal, entry)], { signal })).kind, "committed");
  const denied = await owner.query(
    `select has_table_privilege('App One', 'openshift_clusters', 'select') as clusters,
       has_table_privilege('App One', 'journal', 'truncate') as truncates`,
  );
  assert.deepEqual(denied.rows, [{ clusters: false, truncates: false }]);
});

test("rights that the role no longer needs are revoked, tables of other programs stay as they are", async () => {
  await owner.query(`create table customers (a int); grant select on customers to other`);
  await grant("other", [writer, reader]);
  await owner.query("grant truncate on openshift_clusters to other");
  const kept = { ...options(), roles: new Map([["other", [reader]]]), revokes: false };
  assert.deepEqual(await grantDatabase(kept), []);
  const revoked = await grant("other", [reader]);
  assert.ok(revoked.includes('revoke delete, insert, update on table journal from "other"'), `${revoked}`);
  assert.ok(revoked.includes('revoke truncate on table openshift_clusters from "other"'), `${revoked}`);
  assert.ok(revoked.includes('revoke execute on function require_effect(text, integer) from "other"'));
  const { rows } = await owner.query("select has_table_privilege('other', 'customers', 'select') as reads");
  assert.deepEqual(rows, [{ reads: true }]);

  await using database = await openAs("other", "reads");
  const found = await database.collections.journal.list({ partitionKey: "s", limit: 10 }, signal);
  assert.equal(found.items.length, 1);
  const entry = create(database.collections.journal, {
    id: "2",
    partitionKey: "s",
    operationId: "o",
  });
  await assert.rejects(database.commit("s", [entry], { signal }), /permission denied for/);
});

test("a role that grants do not limit, a missing role and a database without roles are refused", async () => {
  await assert.rejects(grant("postgres", [reader]), {
    code: "UnusableRole",
    message: /superuser or owns tables/,
  });
  await assert.rejects(grant("nosuch", [reader]), {
    code: "UnusableRole",
    message: /create role "nosuch" login/,
  });
  const roles = new Map([["other", [reader]]]);
  const embedded = grantDatabase({ ...options(), driver: pgliteDriver({ dataDir: undefined }), roles });
  await assert.rejects(embedded, { code: "UnusableRole", message: /Set database\.kind to postgres/ });
});
