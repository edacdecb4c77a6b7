/**
 * Tests two resource providers on one PostgreSQL server. The providers share work and take over work after a failure. A suspended
 * provider writes nothing after its work has been taken over.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { ArmClient } from "./support/arm-client.ts";
import { Fleet, leasesOf, type Provider } from "./support/fleet.ts";
import { assertFinishedStayed } from "./support/journal.ts";
import { surviveProviderKill } from "./support/killed-provider.ts";
import { readJournal } from "./support/stored-documents.ts";

/** Cluster names. `fleet.long-test.ts` installs four times as many clusters. */
const names = ["fleet0", "fleet1", "fleet2"];
const leaseMs = 5_000;

describe("two resource providers on one PostgreSQL server", () => {
  let fleet: Fleet;
  let shared: Provider | undefined;
  before(async () => {
    fleet = await Fleet.start({ names: [...names, "zombie"], config: leasesOf(leaseMs) });
  });
  after(() => fleet[Symbol.asyncDispose]());

  /** Returns the provider that survived the first test. Starts a new provider if a later test runs without the first test. */
  async function provider(): Promise<Provider> {
    shared ??= await fleet.provider();
    return shared;
  }

  test(`two providers install ${names.length} clusters concurrently, one is killed half way: each is installed exactly once`, {
    timeout: 900_000,
  }, async () => {
    shared = await surviveProviderKill(fleet, names);
  });

  test("a provider that was paused for longer than its lease writes nothing after it resumes", {
    timeout: 900_000,
  }, async () => {
    const first = await provider();
    const earlier = new Set((await readJournal(fleet)).keys());
    await first.client.createCluster("zombie", "20191231");
    const finishedSteps = async () =>
      [...(await readJournal(fleet)).values()].filter(
        ({ id, state }) => state === "finished" && !earlier.has(id),
      );
    while ((await finishedSteps()).length < 5) await delay(20);
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

  test("unknown properties of a document survive later writes, at every depth", {
    timeout: 900_000,
  }, async () => {
    const { client } = await provider();
    // The previous test installs this cluster. It is installed here if this test runs alone.
    const name = "zombie";
    const { status } = await client.call("GET", `${client.cluster(name)}?api-version=2025-07-25`);
    if (status === 404) await client.createCluster(name, "20191231");
    assert.equal(await client.terminal(name), "Succeeded");
    const unknown = { deep: [{ est: null, number: 1e300 }], "with space": "\u2028" };
    const paths = [
      "{ofTomorrow}",
      "{openShiftCluster,ofTomorrow}",
      "{openShiftCluster,properties,masterProfile,ofTomorrow}",
    ];
    for (const path of paths) {
      // Sets a field of the document and a new ETag, because every write changes the ETag.
      const set =
        "update openshift_clusters set etag = nextval('document_etag'), body = jsonb_set(body::jsonb, $1::text[], $2::jsonb)::json where body::jsonb->'openShiftCluster'->>'name' = $3";
      await fleet.database.query(set, [path, JSON.stringify(unknown), name]);
    }
    const body = { tags: { later: "write" } };
    const patched = await client.call("PATCH", `${client.cluster(name)}?api-version=2025-07-25`, body);
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    assert.equal((await client.settle(patched.headers["azure-asyncoperation"])).status, "Succeeded");
    for (const path of paths) {
      const get =
        "select body::jsonb #> $1::text[] as value from openshift_clusters where body::jsonb->'openShiftCluster'->>'name' = $2";
      assert.deepEqual((await fleet.database.query(get, [path, name])).rows, [{ value: unknown }], path);
    }
  });
});

/**
 * Returns everything that an outdated provider could change: all database rows, the cluster's representation and its Azure
 * resources.
 */
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
