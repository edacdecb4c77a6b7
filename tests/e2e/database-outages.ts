import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import type { Fleet, Provider } from "./support/fleet.ts";
import { Program } from "./support/program.ts";
import { startProvider } from "./support/service-process.ts";

const role = "keelson_outages";
const stack = new AsyncDisposableStack();
let fleet: Fleet;
let provider: Provider;
let databaseUrl: string;
let configFile: string;
let config: Record<string, unknown>;
const others = new Map<string, Program>();

async function startProcesses(): Promise<void> {
  databaseUrl = await fleet.postgres.createDatabase();
  await fleet.database.query(`create role ${role} login password 'first'`);
  configFile = fleet.state.file("outages.json");
  config = JSON.parse(readFileSync(fleet.state.file("fleet.json"), "utf8"));
  writeConfig({ database: { kind: "postgres", url: databaseUrl } });
  const grants = ["rp", "monitor", "maintenance"].flatMap((each) => ["--grant", `${each}=${role}`]);
  const migrated = await Program.run("migrate", "--config", configFile, ...grants);
  assert.equal(migrated.code, 0, migrated.stderr);
  writeConfig({ database: { kind: "postgres", url: urlWith("first"), migrations: "require" } });

  provider = await startProvider(stack, {
    config: configFile,
    endpoints: fleet.state.file("endpoints.json"),
  });
  await Promise.all(
    [["monitor"], ["maintenance", "actuator"], ["maintenance", "scheduler"]].map(async (command) => {
      const program = stack.use(Program.start(...command, "--config", configFile, "--metrics-port", "0"));
      others.set(command.join(" "), program);
      await program.says(/"metrics"/);
    }),
  );
}

function writeConfig(changes: object): void {
  config = { ...config, ...changes };
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
}

function urlWith(password: string): string {
  const url = new URL(databaseUrl);
  [url.username, url.password] = [role, password];
  return url.href;
}

const metricsOf = (program: Program) => new URL(JSON.parse(program.stdout).metrics);

async function get(url: URL | string): Promise<{ readonly status: number; readonly text: string }> {
  const { statusCode, body } = await request(url);
  return { status: statusCode, text: await body.text() };
}

/** Returns the readiness status and reason of all service processes except the resource provider. */
async function readiness(path: string): Promise<readonly string[]> {
  const found = [...others.values()].map(async (program) => {
    const { status, text } = await get(new URL(path, metricsOf(program)));
    return `${status} ${text.trim()}`.trim();
  });
  return Promise.all(found);
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = performance.now() + 300_000; !(await isSo()); await delay(100))
    if (performance.now() > endMs) throw new Error(`never: ${what}`);
}

const isReady = async () =>
  (await provider.client.call("GET", "/healthz/ready/write")).status === 200 &&
  (await readiness("/healthz/ready/write")).every((each) => each === "200");

const putSubscription = () =>
  provider.client.call("PUT", `/subscriptions/${provider.client.subscriptionId}?api-version=2.0`, {
    state: "Registered",
  });

async function setStandbys(names: string): Promise<void> {
  await fleet.database.query(`alter system set synchronous_standby_names = '${names}'`);
  await fleet.database.query("select pg_reload_conf()");
}

const terminate = () =>
  fleet.database.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [role]);

/**
 * Tests service processes that share one PostgreSQL database: behavior with blocked commits, rejected commits, and secrets that
 * change at run time. Uses a separate database, but changes the settings of the fleet's PostgreSQL server.
 */
export function testDatabaseOutages(fleetOf: () => Fleet): void {
  before(async () => {
    fleet = fleetOf();
    await startProcesses();
  });
  after(() => stack[Symbol.asyncDispose]());

  test("while commits wait for a standby, writes get 503 with Retry-After, reads work, and metric, readiness and doctor name the cause", {
    timeout: 900_000,
  }, async (context) => {
    await until(isReady, "all processes are ready");
    await setStandbys("nosuch");
    const started = performance.now();
    let refused = await putSubscription();
    while (refused.status !== 503) refused = await putSubscription();
    context.diagnostic(`503 after ${Math.round(performance.now() - started)} ms`);
    assert.match(`${refused.headers["retry-after"]}`, /^\d+$/);
    const versions = "/providers/Microsoft.RedHatOpenShift/operations?api-version=2025-07-25";
    assert.equal((await provider.client.call("GET", versions)).status, 200);
    const clusters = `/subscriptions/${provider.client.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters`;
    assert.equal((await provider.client.call("GET", `${clusters}?api-version=2025-07-25`)).status, 200);

    assert.equal((await provider.client.call("GET", "/healthz/ready")).status, 200);
    const unready = await provider.client.call("GET", "/healthz/ready/write");
    assert.equal(unready.status, 500);
    const reason = "The database accepts no writes (synchronous_replication).";
    assert.equal(unready.body.error.message, reason);
    await until(
      async () => (await readiness("/healthz/ready/write")).every((each) => each === `503 ${reason}`),
      "the other processes are not ready for writes",
    );
    const { text: metrics } = await get(metricsOf(provider.program));
    assert.match(metrics, /^database_writes_blocked\{cause="synchronous_replication"\} 1$/m);
    assert.match(metrics, /^database_statement_duration_seconds_count\{statement="commit subscriptions"/m);
    const doctor = await Program.run("doctor", "--config", configFile, "-o", "json");
    const { findings } = JSON.parse(doctor.stdout);
    const found = findings.find(({ check }: { check: string }) => check === "database writes");
    assert.equal(found?.status, "failed", doctor.stdout);
    assert.match(found.summary, /none of "nosuch" confirms/);

    await setStandbys("");
    await until(async () => (await putSubscription()).status < 300, "writes are accepted again");
    await until(isReady, "all processes are ready again");
  });

  test("a database that does not respond makes every process unready, with the reason", {
    timeout: 900_000,
  }, async () => {
    await until(isReady, "all processes are ready");
    await fleet.database.query(`alter role ${role} nologin`);
    await terminate();
    const reason = "The database does not respond.";
    await until(
      async () => (await readiness("/healthz/ready")).every((each) => each === `503 ${reason}`),
      "monitor, actuator and scheduler are unready",
    );
    await until(
      async () => (await provider.client.call("GET", "/healthz/ready")).body.error?.message === reason,
      "the resource provider is unready",
    );
    for (const { stderr } of others.values())
      assert.match(stderr, /"reason":"The database does not respond\."/);
    await fleet.database.query(`alter role ${role} login`);
    await until(isReady, "all processes are ready again");
  });

  test("running processes use a changed password and changed keys of their configuration file", {
    timeout: 900_000,
  }, async () => {
    await until(isReady, "all processes are ready");
    const { skipTokenKey, database, firstParty, encryption } = config as {
      skipTokenKey: string;
      database: object;
      firstParty: object;
      encryption: { current: string; keys: object };
    };
    const key = () => randomBytes(32).toString("base64");
    await fleet.database.query(`alter role ${role} password 'second'`);
    writeConfig({
      database: { ...database, url: urlWith("second") },
      firstParty: { ...firstParty, clientSecret: "rotated" },
      encryption: { current: "rotated", keys: { ...encryption.keys, rotated: key() } },
      skipTokenKey: key(),
      otherSkipTokenKeys: [skipTokenKey],
    });
    for (const program of [provider.program, ...others.values()])
      await program.reports(/"fields":\[[^\]]*\],[^\n]*"msg":"using changed fields of the configuration"/);
    const [, fields = ""] =
      /"fields":(\[[^\]]*\])[^\n]*"msg":"using changed/.exec(provider.program.stderr) ?? [];
    assert.deepEqual(JSON.parse(fields).sort(), [
      "database",
      "encryption",
      "firstParty",
      "otherSkipTokenKeys",
      "skipTokenKey",
    ]);
    await terminate();
    await until(isReady, "all processes connect with the new password");
    await provider.program.reports(/"current":"rotated"[^\n]*"msg":"encryption keys have changed"/);
    assert.ok((await putSubscription()).status < 300);
    const { rows } = await fleet.database.query(
      "select count(*)::int as count from pg_stat_activity where usename = $1",
      [role],
    );
    assert.ok(rows[0].count >= 4);
  });
}
