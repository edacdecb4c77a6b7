/** Two resource providers on one PostgreSQL server: work is shared, taken over, and never done by a zombie. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type PostgresServer, startPostgres } from "@keelson/database/testing";
import pg from "pg";
import { ArmClient } from "./support/arm-client.ts";
import { exampleRequest, variablesFor } from "./support/cluster-request.ts";
import { assertFinishedStayed, journalQuery, parseJournal } from "./support/journal.ts";
import { Program, StateDirectory } from "./support/program.ts";

const fleetSize = 100;

/** A simulated world, a PostgreSQL server, and the means to start resource providers on both. */
class Fleet implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly state = this.#stack.use(new StateDirectory());
  readonly #url: string;
  readonly database: pg.Client;

  private constructor(postgres: PostgresServer, url: string) {
    this.#stack.use(postgres);
    this.#url = url;
    this.database = new pg.Client(url);
  }

  /** Short leases make take-over quick; too short ones are lost on a busy machine, as they should be. */
  static async start(names: readonly string[], leaseMs: number): Promise<Fleet> {
    const postgres = await startPostgres();
    const fleet = new Fleet(postgres, await postgres.createDatabase());
    await fleet.database.connect();
    fleet.#stack.defer(() => fleet.database.end());
    const sim = fleet.#stack.use(
      Program.start(
        "sim",
        "--state",
        fleet.state.path,
        "--ports",
        "auto",
        "--log-level",
        "warn",
        "--subnets-for",
        ...names,
      ),
    );
    await sim.says(/clusters/);
    const config: object = JSON.parse(readFileSync(fleet.state.file("service.json"), "utf8"));
    const quick = { ...config, leaseMs, heartbeatMs: leaseMs / 10 };
    writeFileSync(fleet.state.file("quick.json"), JSON.stringify(quick), { mode: 0o600 });
    return fleet;
  }

  async provider(): Promise<{ readonly program: Program; readonly client: ArmClient }> {
    const flags = [
      "--config",
      this.state.file("quick.json"),
      "--database",
      this.#url,
      "--port",
      "0",
      "--metrics-port",
      "0",
    ];
    const program = this.#stack.use(Program.start("rp", ...flags));
    const { rp }: { rp: string } = JSON.parse(await program.says(/"rp"/));
    const client = this.#stack.use(new ArmClient(this.state.file("endpoints.json"), rp));
    await client.call("PUT", `/subscriptions/${client.subscriptionId}?api-version=2.0`, {
      state: "Registered",
    });
    return { program, client };
  }

  async create(client: ArmClient, name: string): Promise<void> {
    const request = exampleRequest("20191231", variablesFor(name, client.subscriptionId));
    const answer = await client.call(
      "PUT",
      `${client.cluster(name)}?api-version=2019-12-31-preview`,
      request,
    );
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  }

  async journal() {
    return parseJournal((await this.database.query<{ body: string }>(journalQuery)).rows);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

test(`${fleetSize} clusters at once on two providers, one killed half way: each is installed exactly once`, {
  timeout: 420_000,
}, async () => {
  const names = Array.from({ length: fleetSize }, (_, i) => `fleet${i}`);
  await using fleet = await Fleet.start(names, 15_000);
  const one = await fleet.provider();
  const two = await fleet.provider();
  await Promise.all(names.map((name, i) => fleet.create(i % 2 ? one.client : two.client, name)));
  while ((await succeeded(fleet)) < fleetSize / 2) await delay(200);
  const before = await fleet.journal();
  await one.program.signal("SIGKILL");
  for (const name of names) {
    const state = await two.client.terminal(name, 240_000);
    assert.equal(state, "Succeeded", `${name}: ${JSON.stringify(await failures(fleet))}`);
  }
  const after = await fleet.journal();
  assertFinishedStayed(before, after);
  const rows = [...after.values()];
  assert.ok(rows.every((row) => row.state === "finished"));
  assert.equal(new Set(rows.map((row) => row.operationId)).size, fleetSize);
  assert.ok(new Set(rows.map((row) => row.worker)).size >= 2, "both providers worked");
});

/** What went wrong, for the message of a failed test. */
async function failures(fleet: Fleet): Promise<readonly object[]> {
  const query =
    "select body->'step' as step, body->'error' as error from journal where body->>'state' = 'failed'" +
    " union all select body->'asyncOperation'->'id', body->'asyncOperation'->'error' from async_operations where body->'asyncOperation'->>'status' = 'Failed'";
  return (await fleet.database.query(query.replaceAll("body->'", "body::jsonb->'"))).rows;
}

async function succeeded(fleet: Fleet): Promise<number> {
  const query =
    "select count(*)::int as n from openshift_clusters where body->'openShiftCluster'->'properties'->>'provisioningState' = 'Succeeded'";
  return (await fleet.database.query<{ n: number }>(query)).rows[0]?.n ?? 0;
}

test("a provider that was stopped beyond its lease and goes on changes nothing any more", {
  timeout: 120_000,
}, async () => {
  const leaseMs = 4_000;
  await using fleet = await Fleet.start(["zombie"], leaseMs);
  const first = await fleet.provider();
  await fleet.create(first.client, "zombie");
  while ([...(await fleet.journal()).values()].filter((row) => row.state === "finished").length < 5)
    await delay(20);
  first.program.child.kill("SIGSTOP");
  const stopped = await fleet.journal();
  const second = await fleet.provider();
  assert.equal(await second.client.terminal("zombie"), "Succeeded");
  const finished = await snapshot(fleet, second.client);
  assertFinishedStayed(stopped, await fleet.journal());
  first.program.child.kill("SIGCONT");
  await delay(leaseMs);
  assert.ok(first.program.running, first.program.stderr);
  assert.deepEqual(await snapshot(fleet, second.client), finished);
});

test("members that nobody knows survive every later write, at every depth", {
  timeout: 120_000,
}, async () => {
  await using fleet = await Fleet.start(["future"], 15_000);
  const { client } = await fleet.provider();
  await fleet.create(client, "future");
  assert.equal(await client.terminal("future"), "Succeeded");
  const unknown = { deep: [{ est: null, number: 1e300 }], "with space": "\u2028" };
  const paths = [
    "{ofTomorrow}",
    "{openShiftCluster,ofTomorrow}",
    "{openShiftCluster,properties,masterProfile,ofTomorrow}",
  ];
  for (const path of paths) {
    const set = "update openshift_clusters set body = jsonb_set(body::jsonb, $1::text[], $2::jsonb)::json";
    await fleet.database.query(set, [path, JSON.stringify(unknown)]);
  }
  const body = { tags: { later: "write" } };
  const patched = await client.call("PATCH", `${client.cluster("future")}?api-version=2025-07-25`, body);
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  assert.equal((await client.settle(patched.headers["azure-asyncoperation"])).status, "Succeeded");
  for (const path of paths) {
    const get = "select body::jsonb #> $1::text[] as value from openshift_clusters";
    assert.deepEqual((await fleet.database.query(get, [path])).rows, [{ value: unknown }], path);
  }
});

/** Everything a zombie could have touched: all rows, the cluster as clients see it, its resources in Azure. */
async function snapshot(fleet: Fleet, client: ArmClient): Promise<object> {
  const rows = async (table: string) =>
    (await fleet.database.query(`select id, etag::text, body::text from ${table} order by id`)).rows;
  return {
    clusters: await rows("openshift_clusters"),
    operations: await rows("async_operations"),
    journal: await rows("journal"),
    cluster: (await client.call("GET", `${client.cluster("zombie")}?api-version=2025-07-25`)).body,
    resources: await client.resources("aro-zombie"),
  };
}
