/** Runs the commands of docs/howto/operate-postgresql.md with PostgreSQL servers from Debian that require TLS. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { freePort } from "@keelson/base/testing";
import pg from "pg";
import { eventually } from "../e2e/support/eventually.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { type Provider, startProvider } from "../e2e/support/service-process.ts";
import {
  DebianPostgres,
  giveToServer,
  initialize,
  noPostgres,
  postgresPrograms,
} from "./support/debian-postgres.ts";
import { runBlock, shellBlocks } from "./support/document-blocks.ts";

const skip = noPostgres() ?? false;
const [tls, baseBackup, dump, restore, standby, synchronous, failover, migrate] = shellBlocks(
  "docs/howto/operate-postgresql.md",
);
const password = "secret";

describe("the manual of PostgreSQL", { skip, timeout: 900_000 }, () => {
  const stack = new AsyncDisposableStack();
  let state: StateDirectory;
  let primary: DebianPostgres;
  let provider: Provider;
  let env: NodeJS.ProcessEnv;
  let standbyPort: number;
  const run = (block: string | undefined, changes: NodeJS.ProcessEnv = {}) =>
    runBlock(block, { cwd: state.path, env: { ...env, ...changes } });
  const certificates = () => state.file("certificates");

  before(async () => {
    state = stack.use(new StateDirectory());
    chmodSync(state.path, 0o755);
    const world = stack.use(Program.start("sim", "--state", state.file("world"), "--ports", "auto"));
    mkdirSync(certificates());
    const authority = await createCertificateAuthority("databases", 2);
    const server = await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      usage: "server",
      validDays: 2,
    });
    writeFileSync(state.file("certificates/ca.pem"), authority.certificatePem);
    writeFileSync(state.file("certificates/server.pem"), server.certificatePem);
    writeFileSync(state.file("certificates/server-key.pem"), server.privateKeyPem);
    giveToServer(state.file("certificates/server-key.pem"), 0o600);
    for (const name of ["data", "standby"]) {
      mkdirSync(state.file(name));
      giveToServer(state.file(name), 0o700);
    }
    initialize(state.file("data"), password, state.path);
    primary = stack.use(await DebianPostgres.start(state.file("data"), await freePort(), certificates()));
    standbyPort = await freePort();
    const ca = state.file("certificates/ca.pem");
    const owner = `postgres://keelson_owner:${password}@localhost:${primary.port}/keelson`;
    const superuser = (port: number) => `postgres://postgres:${password}@localhost:${port}`;
    mkdirSync(state.file("backup"));
    mkdirSync(state.file("bin"));
    writeFileSync(
      state.file("bin/keelson"),
      `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${resolve(import.meta.dirname, "../../cmd/keelson/src/main.ts")}' "$@"\n`,
      { mode: 0o755 },
    );
    env = {
      ...process.env,
      PATH: `${state.file("bin")}:${postgresPrograms}:${process.env.PATH}`,
      CONFIG: state.file("service.json"),
      CONFIGS: state.file("service.json"),
      TLS: `sslmode=verify-full&sslrootcert=${ca}`,
      OWNER: owner,
      PRIMARY: superuser(primary.port),
      STANDBY: superuser(standbyPort),
      DATA: state.file("standby"),
      BACKUP: state.file("backup"),
    };
    await using client = await connected(superuser(primary.port));
    await client.database.query(`create role keelson_owner login password '${password}'`);
    await client.database.query("create database keelson owner keelson_owner");
    await world.says(/clusters/);
    const config: object = JSON.parse(readFileSync(state.file("world/service.json"), "utf8"));
    const database = { kind: "postgres", url: `${owner}?sslmode=verify-full&sslrootcert=${ca}` };
    writeFileSync(state.file("service.json"), JSON.stringify({ ...config, database }, null, 2), {
      mode: 0o600,
    });
  });
  after(() => stack.disposeAsync());

  async function connected(url: string) {
    const database = new pg.Client({
      connectionString: `${url}/postgres?sslmode=verify-full&sslrootcert=${certificates()}/ca.pem`,
    });
    await database.connect();
    return { database, [Symbol.asyncDispose]: () => database.end() };
  }

  const start = (config: string) =>
    startProvider(stack, { config, endpoints: state.file("world/endpoints.json") });

  async function subscriptionState({ client }: Provider): Promise<unknown> {
    const { status } = await client.call(
      "GET",
      `/subscriptions/${client.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2025-07-25`,
    );
    return status;
  }

  test("migrations are listed and applied, and the service uses TLS with the server's CA", async () => {
    assert.match(await run(migrate), /\d+ migrations applied/);
    provider = await start(state.file("service.json"));
    const output = await run(tls);
    assert.match(output, / t +\| TLSv1\.3/);
    assert.match(output, /service\.json is valid/);
    const wrong = run(tls?.split("\n")[0], {
      TLS: `sslmode=verify-full&sslrootcert=${state.file("world/ca.pem")}`,
    });
    await assert.rejects(wrong, /certificate verify failed/);
  });

  test("a base backup verifies, and a dump restores into a database that the service uses", async () => {
    await run(baseBackup);
    assert.ok(Number(await run(dump)) > 20);
    copyFileSync(state.file("service.json"), state.file("restored.json"));
    assert.match(
      await run(restore, { CONFIG: state.file("restored.json"), CONFIGS: state.file("restored.json") }),
      /^ok +database: /m,
    );
    assert.match(readFileSync(state.file("restored.json"), "utf8"), /\/restored\?sslmode/);
    await using restored = await start(state.file("restored.json"));
    assert.equal(await subscriptionState(restored), 200);
  });

  test("after a failover to the synchronous standby, a restarted process uses the new server and its writes", async () => {
    await run(standby);
    giveToServer(state.file("standby"), 0o700);
    execFileSync("chown", ["-R", "postgres:postgres", state.file("standby")]);
    stack.use(await DebianPostgres.start(state.file("standby"), standbyPort, certificates()));
    await run(synchronous);
    await eventually(async () => {
      await using client = await connected(env.PRIMARY ?? "");
      const { rows } = await client.database.query("select sync_state from pg_stat_replication");
      assert.deepEqual(rows, [{ sync_state: "sync" }]);
    });
    await provider.client.registerSubscription();
    await primary[Symbol.asyncDispose]();
    assert.match(await run(failover), /^ok +database: /m);
    await provider[Symbol.asyncDispose]();
    await using restarted = await start(state.file("service.json"));
    assert.equal(await subscriptionState(restarted), 200);
  });
});
