import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { nonEmptyStringAt } from "../base/json.ts";
import { clientId, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const groups = `/subscriptions/${subscriptionId}/resourceGroups`;
const v = "?api-version=2021-04-01";

describe("limits of requests", () => {
  const clock = new ManualClock(new Date());
  let azure: TestAzure;
  before(async () => {
    azure = await startTestAzure({ clock });
  });
  after(() => azure[Symbol.asyncDispose]());
  afterEach(() => azure.change({ rateLimits: null }));

  const left = ({ headers }: { readonly headers: object }, kind: string) =>
    new Map(Object.entries(headers)).get(`x-ms-ratelimit-remaining-subscription-${kind}`);

  test("requests are not limited by default but have the headers", async () => {
    assert.equal(left(await azure.arm("GET", `${groups}${v}`), "reads"), "11999");
    assert.equal(left(await azure.arm("PUT", `${groups}/g${v}`, {}), "writes"), "1199");
    assert.equal(left(await azure.arm("DELETE", `${groups}/g${v}`), "deletes"), "14999");
  });

  test("responses have the remaining requests, and exceeding the limit is rejected until time has passed", async () => {
    azure.change({ rateLimits: { reads: { burst: 2, perSecond: 0.5 } } });
    const read = () => azure.arm("GET", `${groups}${v}`);
    assert.equal(left(await read(), "reads"), "1");
    assert.equal(left(await read(), "reads"), "0");
    const refused = await read();
    assert.equal(refused.status, 429);
    assert.equal(refused.headers["retry-after"], "2");
    assert.equal(nonEmptyStringAt(refused.json, "error", "code"), "SubscriptionRequestsThrottled");
    assert.equal(
      nonEmptyStringAt(refused.json, "error", "message"),
      `Number of 'read' requests for subscription '${subscriptionId}' actor '${azure.objectIdOf(clientId)}' exceeded. Please try again after '2' seconds after additional tokens are available. Refer to https://aka.ms/arm-throttling for additional information.`,
    );
    assert.notEqual(
      (await azure.arm("DELETE", `${groups}/g${v}`)).status,
      429,
      "other kinds have separate limits",
    );
    await clock.advance(2_000);
    assert.equal((await read()).status, 200);
    assert.equal((await read()).status, 429);
  });

  for (const wrong of [
    { reads: 1 },
    { reads: { burst: 0, perSecond: 1 } },
    { looks: { burst: 1, perSecond: 1 } },
  ])
    test(`${JSON.stringify(wrong)} is not a valid limit`, () => {
      assert.throws(
        () => azure.change(JSON.parse(JSON.stringify({ rateLimits: wrong }))),
        /The settings are/,
      );
    });
});
