/**
 * Tests that two processes of the resource provider together enforce the configured limits of one subscription. Covers the ARM
 * API responses.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Fleet, type Provider } from "./support/fleet.ts";

const names = ["greedy0", "greedy1", "greedy2"];
let fleet: Fleet;
before(async () => {
  fleet = await Fleet.start({
    names,
    operators: "none",
    config: {
      operationsPerSubscription: { running: 1, queued: 1 },
      requestLimits: { writes: { burst: 1_000, perSecond: 1 } },
    },
  });
});
after(() => fleet[Symbol.asyncDispose]());

/** Creates a cluster. After a 429 response, retries after a tenth of `Retry-After`. Returns the number of 429 responses. */
async function create({ client }: Provider, name: string): Promise<number> {
  const body = await client.clusterRequest(name, "20191231");
  for (let refusals = 0; ; refusals++) {
    const path = `${client.cluster(name)}?api-version=2019-12-31-preview`;
    const response = await client.call("PUT", path, body);
    assert.match(String(response.headers["x-ms-ratelimit-remaining-subscription-writes"]), /^9\d\d$/);
    if (response.status === 201) return refusals;
    assert.deepEqual([response.status, response.body.error.code], [429, "OperationsThrottled"]);
    await delay(Number(response.headers["retry-after"]) * 100);
  }
}

test("two providers run one operation of a subscription at a time, refuse a third, and all succeed in the end", {
  timeout: 420_000,
}, async () => {
  const providers = [await fleet.provider(), await fleet.provider()] as const;
  let most = 0;
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      const text = "select count(*)::int as n from openshift_clusters where lease_owner is not null";
      const { rows } = await fleet.database.query<{ n: number }>(text);
      most = Math.max(most, rows[0]?.n ?? 0);
      await delay(50);
    }
  })();
  const refusals = await Promise.all(
    names.map((name, index) => create(providers[index % 2 === 0 ? 0 : 1], name)),
  );
  for (const name of names) assert.equal(await providers[0].client.terminal(name, 360_000), "Succeeded");
  ended.abort();
  await watching;
  assert.ok(refusals.some((count) => count > 0));
  assert.equal(most, 1);
});
