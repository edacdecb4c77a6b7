import assert from "node:assert/strict";
import { test } from "node:test";
import { changedConditions } from "./conditions.ts";

const before = "2026-01-01T00:00:00Z";
const now = new Date("2026-02-01T00:00:00.500Z");
const ready = {
  type: "Ready",
  status: "True",
  reason: "Fine",
  message: "",
  lastTransitionTime: before,
} as const;
const foreign = { type: "Foreign", status: "Unknown", lastTransitionTime: before, own: 1 } as const;
const object = { status: { conditions: [foreign, ready] } };

for (const { name, of = object, wanted, gives } of [
  {
    name: "nothing differs",
    wanted: [{ type: "Ready", status: "True", reason: "Fine" } as const],
    gives: undefined,
  },
  {
    name: "a status changes with its time, in its place",
    wanted: [{ type: "Ready", status: "False", reason: "Broken" } as const],
    gives: [
      foreign,
      { type: "Ready", status: "False", reason: "Broken", lastTransitionTime: "2026-02-01T00:00:00Z" },
    ],
  },
  {
    name: "a reason changes without its time",
    wanted: [{ type: "Ready", status: "True", reason: "Better" } as const],
    gives: [foreign, { type: "Ready", status: "True", reason: "Better", lastTransitionTime: before }],
  },
  {
    name: "a new type comes last",
    wanted: [{ type: "New", status: "True" } as const],
    gives: [foreign, ready, { type: "New", status: "True", lastTransitionTime: "2026-02-01T00:00:00Z" }],
  },
  {
    name: "an object without a status gets its first",
    of: {},
    wanted: [{ type: "New", status: "True" } as const],
    gives: [{ type: "New", status: "True", lastTransitionTime: "2026-02-01T00:00:00Z" }],
  },
]) {
  test(`conditions: ${name}`, () => {
    assert.deepEqual(changedConditions(of, wanted, now), gives);
  });
}
