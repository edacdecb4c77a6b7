import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CloudError, flattenCloudError } from "@keelson/arm";
import { parseScheduleRequest } from "./schedule.ts";
import { type MaintenanceSelector, matchSelectors } from "./selectors.ts";

const selector = { key: "something", operator: "in", values: ["foobar"] };
const valid = {
  id: "00000",
  maintenanceTaskID: "0",
  state: "Enabled",
  schedule: "*-*-* 00:00:00",
  scheduleAcross: "12h",
  selectors: [selector],
};

test("a schedule has the known properties of its body", () => {
  const { id, ...schedule } = valid;
  assert.deepEqual(parseScheduleRequest({ ...valid, other: 1 }), {
    id,
    schedule: { ...schedule, lookForwardCount: 0 },
  });
  assert.equal(parseScheduleRequest({ ...schedule }).id, undefined);
});

test("property names of a schedule match in any case", () => {
  const sent = {
    ID: "00000",
    maintenanceTaskId: "0",
    State: "Enabled",
    SCHEDULE: "*-*-* 00:00:00",
    scheduleacross: "12h",
    Selectors: [{ Key: "something", OPERATOR: "in", Values: ["foobar"] }],
  };
  assert.deepEqual(parseScheduleRequest(sent), parseScheduleRequest(valid));
});

test("a schedule is disabled by default", () => {
  const { state: _state, ...without } = valid;
  assert.equal(parseScheduleRequest(without).schedule.state, "Disabled");
});

describe("a schedule is refused with", () => {
  for (const { name, change, error } of [
    { name: "no task", change: { maintenanceTaskID: "" }, error: "maintenanceTaskID: Must be provided" },
    {
      name: "a negative count",
      change: { lookForwardCount: -1 },
      error: "LookForwardCount: Must be above 0",
    },
    {
      name: "too high a count",
      change: { lookForwardCount: 101 },
      error: "lookForwardCount: Must be at most 100",
    },
    { name: "no calendar", change: { schedule: undefined }, error: "schedule: Must be provided" },
    {
      name: "no calendar that can be read",
      change: { schedule: "x" },
      error: "schedule: failed to match 'x'",
    },
    { name: "no spread", change: { scheduleAcross: "" }, error: "scheduleAcross: Must be provided" },
    {
      name: "a spread that is no duration",
      change: { scheduleAcross: "1srgndf" },
      error: 'scheduleAcross: Must be a valid time.Duration: unknown unit "srgndf" in duration "1srgndf"',
    },
    {
      name: "a negative spread",
      change: { scheduleAcross: "-1h" },
      error: "scheduleAcross: Must not be negative",
    },
    { name: "no selectors", change: { selectors: [] }, error: "selectors: Must be provided" },
    {
      name: "another state",
      change: { state: "Processing" },
      error: "state: Must be one of ['Enabled', 'Disabled']",
    },
    {
      name: "an ID that no path can carry",
      change: { id: "a/b" },
      error: "id: Must be at most 100 letters, digits, '-', '.' and '_'",
    },
    {
      name: "an unknown operator",
      change: { selectors: [selector, { ...selector, operator: "baz" }] },
      error: "selectors[1].operator: Must be one of ['eq', 'in', 'notin']",
    },
    {
      name: "one value for many",
      change: { selectors: [{ key: "k", operator: "in", value: "v" }] },
      error: "selectors[0].values: Must be provided for operator type 'in'",
    },
    {
      name: "one value besides many",
      change: { selectors: [{ ...selector, operator: "notin", value: "v" }] },
      error: "selectors[0].value: Must not be provided for operator type 'notin'",
    },
    {
      name: "many values for one",
      change: { selectors: [{ ...selector, operator: "eq" }] },
      error: "selectors[0].value: Must be provided for operator type 'eq'",
    },
    {
      name: "many values besides one",
      change: { selectors: [{ ...selector, operator: "eq", value: "v" }] },
      error: "selectors[0].values: Must not be provided for operator type 'eq'",
    },
  ]) {
    test(name, () => {
      assert.throws(
        () => parseScheduleRequest({ ...valid, ...change }),
        (thrown) => {
          assert.ok(thrown instanceof CloudError);
          assert.equal(flattenCloudError(thrown), `400: InvalidParameter: ${error}`);
          return true;
        },
      );
    });
  }

  for (const body of [null, [], { ...valid, selectors: [1] }, { ...valid, lookForwardCount: "2" }]) {
    test(`the wrong types: ${JSON.stringify(body)?.slice(-30)}`, () => {
      assert.throws(
        () => parseScheduleRequest(body),
        (error) => {
          assert.ok(error instanceof CloudError);
          assert.equal(error.body.code, "InvalidRequestContent");
          return true;
        },
      );
    });
  }
});

describe("a cluster", () => {
  const values = { resourceID: "/c", bucketID: "7", provisioningState: "Succeeded" };
  const eq = (key: string, value: string): MaintenanceSelector => ({ key, operator: "eq", value });
  const among = (operator: "in" | "notin", ...list: readonly string[]): MaintenanceSelector => ({
    key: "bucketID",
    operator,
    values: list,
  });
  for (const { name, selectors, matches, problem } of [
    { name: "matches what it is", selectors: [eq("bucketID", "7")], matches: true },
    { name: "is not matched by a different case", selectors: [eq("resourceID", "/C")], matches: false },
    { name: "matches one of many", selectors: [among("in", "1", "7")], matches: true },
    { name: "does not match other values", selectors: [among("in", "1")], matches: false },
    { name: "matches what excludes others", selectors: [among("notin", "1")], matches: true },
    { name: "does not match what excludes it", selectors: [among("notin", "7")], matches: false },
    {
      name: "has to match every selector",
      selectors: [eq("bucketID", "7"), eq("provisioningState", "Failed")],
      matches: false,
    },
    { name: "matches no empty list", selectors: [], matches: false, problem: "empty selector list" },
    {
      name: "has no other keys, not even those of every object",
      selectors: [eq("bucketID", "8"), eq("toString", "x")],
      matches: false,
      problem: "requested non-existent 'toString' selector key",
    },
  ]) {
    test(name, () => {
      assert.deepEqual(matchSelectors(selectors, values), { matches, ...(problem ? { problem } : {}) });
    });
  }
});
