import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Fleet, Provider } from "./fleet.ts";
import { assertFinishedStayed } from "./journal.ts";
import { readJournal } from "./stored-documents.ts";

/**
 * Tests that a second provider completes the work of a killed provider.
 *
 * Creates a cluster through the first provider, then starts the second provider and creates the remaining clusters through both
 * providers. Kills the first provider when half of the clusters are installed and the last installation has started. Returns the
 * second provider.
 * @throws AssertionError if a cluster fails or a completed step runs again
 */
export async function surviveProviderKill(fleet: Fleet, names: readonly string[]): Promise<Provider> {
  const [begun = "", ...others] = names;
  const last = others.pop() ?? "";
  const one = await fleet.provider();
  await one.client.createCluster(begun, "20191231");
  // Waits until the first provider has completed a step. After the kill, the second provider always has work, because the last
  // installation starts shortly before the kill and cannot complete before it.
  while ((await readJournal(fleet)).size === 0) await delay(20);
  const two = await fleet.provider();
  await Promise.all(others.map((name, i) => (i % 2 ? one : two).client.createCluster(name, "20191231")));
  while ((await succeeded(fleet)) < names.length / 2) await delay(200);
  await two.client.createCluster(last, "20191231");
  while (!(await hasSteps(fleet, last))) await delay(20);
  const before = await readJournal(fleet);
  await one.program.signal("SIGKILL");
  for (const name of names) {
    const state = await two.client.terminal(name, 900_000);
    assert.equal(state, "Succeeded", `${name}: ${JSON.stringify(await failures(fleet))}`);
  }
  const after = await readJournal(fleet);
  assertFinishedStayed(before, after);
  const rows = [...after.values()];
  assert.ok(rows.every((row) => row.state === "finished"));
  assert.equal(new Set(rows.map((row) => row.operationId)).size, names.length);
  assert.ok(new Set(rows.map((row) => row.worker)).size >= 2, "both providers worked");
  return two;
}

/** True if the installation of a cluster has written to the journal. */
async function hasSteps(fleet: Fleet, name: string): Promise<boolean> {
  const rows = await fleet.list("journal");
  return rows.some(({ openShiftClusterKey = "" }) => openShiftClusterKey.endsWith(`/${name}`));
}

/** Returns the errors of failed steps and operations for test messages. */
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
