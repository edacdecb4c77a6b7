import assert from "node:assert/strict";
import { test } from "node:test";
import { statusOf } from "./status.ts";

for (const [state, status] of [
  ["Succeeded", "success"],
  ["Failed - Creating", "danger"],
  ["AdminUpdating", "info"],
  ["TimedOut", "danger"],
  ["Canceled", "warning"],
  ["Whatever", undefined],
  ["", undefined],
] as const)
  test(`${state || "no state"} is shown as ${status ?? "neutral"}`, () =>
    assert.equal(statusOf(state), status));
