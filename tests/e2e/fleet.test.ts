/** Two resource providers on one PostgreSQL server: work is shared, taken over, and never done by a zombie. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { ArmClient } from "./support/arm-client.ts";
import { Fleet, leasesOf } from "./support/fleet.ts";
import { assertFinishedStayed } from "./support/journal.ts";
import { readJournal } from "./support/stored-documents.ts";

/** `make chaos` has more at once, and the bench of fleets a thousand. */
const fleetSize = 12;

test(`${fleetSize} clusters at once on two providers, one killed half way: each is installed exactly once`, {
  timeout: 420_000,
}, async () => {
  const names = Array.from({ length: fleetSize }, (_, i) => `fleet${i}`);
  await using fleet = await Fleet.start({ names, config: leasesOf(15_000) });
  const one = await fleet.provider();
  const two = await fleet.provider();
  await Promise.all(names.map((name, i) => fleet.create(i % 2 ? one.client : two.client, name)));
  while ((await succeeded(fleet)) < fleetSize / 2) await delay(200);
  const before = await readJournal(fleet);
  await one.program.signal("SIGKILL");
  for (const name of names) {
    const state = await two.client.terminal(name, 240_000);
    assert.equal(state, "Succeeded", `${name}: ${JSON.stringify(await failures(fleet))}`);
  }
  const after = await readJournal(fleet);
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
  await using fleet = await Fleet.start({ names: ["zombie"], config: leasesOf(leaseMs) });
  const first = await fleet.provider();
  await fleet.create(first.client, "zombie");
  while ([...(await readJournal(fleet)).values()].filter((row) => row.state === "finished").length < 5)
    await delay(20);
  first.program.child.kill("SIGSTOP");
  const stopped = await readJournal(fleet);
  const second = await fleet.provider();
  assert.equal(await second.client.terminal("zombie"), "Succeeded");
  const finished = await snapshot(fleet, second.client);
  assertFinishedStayed(stopped, await readJournal(fleet));
  first.program.child.kill("SIGCONT");
  await delay(leaseMs);
  assert.ok(first.program.running, first.program.stderr);
  assert.deepEqual(await snapshot(fleet, second.client), finished);
});

test("members that nobody knows survive every later write, at every depth", {
  timeout: 120_000,
}, async () => {
  await using fleet = await Fleet.start({ names: ["future"], config: leasesOf(15_000) });
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
    // As every writer does: another version of the document, by which readers know that it is another.
    const set =
      "update openshift_clusters set etag = nextval('document_etag'), body = jsonb_set(body::jsonb, $1::text[], $2::jsonb)::json";
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
