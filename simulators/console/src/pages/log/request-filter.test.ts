import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesFilter } from "./request-filter.ts";

const request = {
  sequence: 1,
  at: "",
  method: "PUT",
  host: "localhost",
  path: "/subscriptions/s/resourceGroups/Mine",
  service: "arm",
  status: 409,
  durationMs: 1,
  caller: "abc",
};

for (const [filter, isMatch] of [
  ["", true],
  ["mine PUT", true],
  ["mine get", false],
  ["status:4 method:put", true],
  ["status:5", false],
  ["service:graph", false],
  ["caller:ab", true],
  ["caller:bc", false],
  ["colour:red", false],
  ["toString:x", false],
] as const)
  test(`the filter ${JSON.stringify(filter)} ${isMatch ? "matches" : "does not match"} a request`, () => {
    assert.equal(matchesFilter(request, filter), isMatch);
  });
