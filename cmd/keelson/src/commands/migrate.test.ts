import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { type PostgresServer, startPostgres } from "@keelson/database/testing";

const main = join(import.meta.dirname, "..", "main.ts");
const folder = mkdtempSync(join(tmpdir(), "keelson-migrate-"));
const config = join(folder, "service.json");
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
  rmSync(folder, { recursive: true });
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

  const applied = await migrate();
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stderr, /applying 22 \(older programs may run beside it; in single statements\)/);
  assert.match(applied.stdout, /^\d+ migrations applied\n$/);

  const none = await migrate("--dry-run");
  assert.deepEqual([none.code, none.stdout], [0, "no migration is missing\n"]);
});

test("a server that is not there is an error that names it", async () => {
  const failed = await migrate("--database", "postgres://me:hunter2@127.0.0.1:1/store");
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /127\.0\.0\.1:1/);
  assert.doesNotMatch(failed.stderr, /hunter2/);
});
