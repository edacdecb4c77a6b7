import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { clusterAddress, current } from "../testing/cluster-request.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const clock = new ManualClock(new Date());
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend({
    clock,
    requestLimits: { reads: { burst: 2, perSecond: 0.5 }, deletes: { burst: 1, perSecond: 1 } },
  });
});
after(() => frontend[Symbol.asyncDispose]());

const remaining = (kind: string) => `x-ms-ratelimit-remaining-subscription-${kind}`;

test("requests of a subscription beyond its bucket get 429 with the time to wait, then succeed", async () => {
  const { url } = clusterAddress(randomUUID());
  const read = () => frontend.client.get(url);
  assert.equal((await read()).headers[remaining("reads")], "1");
  assert.equal((await read()).headers[remaining("reads")], "0");
  const refused = await read();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers["retry-after"], "2");
  assert.equal(refused.headers[remaining("reads")], "0");
  assert.equal(refused.error.code, "SubscriptionRequestsThrottled");
  await clock.advance(2_000);
  assert.equal((await read()).status, 404);
  assert.equal((await read()).status, 429);
});

test("kinds, subscriptions and administrators have separate limits", async () => {
  const address = clusterAddress(randomUUID());
  const { client } = frontend;
  assert.equal((await client.delete(address.url)).headers[remaining("deletes")], "0");
  assert.equal((await client.delete(address.url)).status, 429);
  assert.equal((await client.get(address.url)).headers[remaining("reads")], "1");
  assert.equal((await client.delete(clusterAddress(randomUUID()).url)).headers[remaining("deletes")], "0");
  for (let count = 0; count < 4; count++) {
    assert.equal((await client.get(`${address.id}?api-version=admin`)).status, 404);
    assert.equal((await client.patch(address.url, {})).headers[remaining("writes")], undefined);
    const everywhere = `/providers/Microsoft.RedHatOpenShift/operations?api-version=${current}`;
    assert.equal((await client.get(everywhere)).status, 200);
  }
});
