import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { type PostgresServer, startPostgres } from "@keelson/database/testing";
import pg from "pg";

const main = join(import.meta.dirname, "..", "main.ts");
const directory = mkdtempSync(join(tmpdir(), "keelson-migrate-"));
const config = join(directory, "service.json");
let server: PostgresServer;
let url: string;

before(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  writeFileSync(
    config,
    JSON.stringify({
      location: "eastus",
      domain: "eastus.example.org",
      tenantId: "t",
      subscriptionId: "s",
      resourceGroup: "g",
      tls: { certificateFile: "a", keyFile: "b" },
      callers: { kind: "anyone" },
      azure: { armEndpoint: "https://arm", loginEndpoint: "https://login", audience: "https://arm/" },
      firstParty: { clientId: "c", clientSecret: "d" },
      database: { kind: "postgres", url, migrations: "require" },
      encryption: { current: "k", keys: { k: "AAAA" } },
      skipTokenKey: "AAAA",
      installer: { kind: "simulated", clustersUrl: "https://clusters", caFile: "a" },
      operatorImage: "registry.example.com/keelson:v1",
      certificateIssuer: { kind: "local", caFile: "a", caKeyFile: "b" },
    }),
  );
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

function migrate(...flags: readonly string[]) {
  const args = ["--disable-warning=ExperimentalWarning", main, "migrate", "--config", config, ...flags];
  return new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      execFile(process.execPath, args, { timeout: 900_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stdout, stderr }),
      );
    },
  );
}

test("migrations are named, applied with progress, and then not missing any more", async () => {
  const missing = await migrate("--dry-run", "-o", "json");
  assert.equal(missing.code, 1, missing.stderr);
  const [first] = JSON.parse(missing.stdout).missing;
  assert.deepEqual(first, { version: 1, breaking: false, transaction: "single" });

  const preview = await migrate("--dry-run");
  assert.match(preview.stdout, /^missing 1 \(.*\)\n[\s\S]*create table/im);

  const applied = await migrate();
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stderr, /applying 22 \(older programs may run beside it; in single statements\)/);
  assert.match(applied.stdout, /^\d+ migrations applied\n$/);

  const none = await migrate("--dry-run");
  assert.deepEqual([none.code, none.stdout], [0, "no migration is missing\n"]);
});

test("--grant prints its SQL in a dry run, changes the rights of the role, and then finds nothing to change", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create role keelson_gateway login");
  await client.end();
  const flag = ["--grant", "gateway=keelson_gateway"];
  await migrate();
  const planned = await migrate("--dry-run", ...flag);
  assert.equal(planned.code, 1, planned.stderr);
  assert.match(planned.stdout, /^grant select on table gateways to "keelson_gateway";$/m);

  const granted = await migrate(...flag, "-o", "json");
  assert.deepEqual(JSON.parse(granted.stdout), {
    applied: [],
    grants: [
      'grant usage on schema public to "keelson_gateway"',
      'grant select on table schema_migrations to "keelson_gateway"',
      'grant select on table gateways to "keelson_gateway"',
    ],
  });
  const none = await migrate("--dry-run", ...flag);
  assert.deepEqual(
    [none.code, none.stdout],
    [0, "no migration is missing\nno grant is missing or left over\n"],
  );
});

test("a role that does not exist is refused before the database is opened", async () => {
  const refused = await migrate(
    "--grant",
    "backend=keelson",
    "--database",
    "postgres://me@127.0.0.1:1/store",
  );
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--grant backend=keelson names no role. Use one of rp, maintenance, monitor/);
});

test("a server that is not there is an error that names it", async () => {
  const failed = await migrate("--database", "postgres://me:hunter2@127.0.0.1:1/store");
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /127\.0\.0\.1:1/);
  assert.doesNotMatch(failed.stderr, /hunter2/);
});
