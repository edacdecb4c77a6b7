import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedValues } from "./shared-values.ts";

const pod = (name: string, ready: string) => ({
  metadata: { name, note: "x".repeat(600) },
  status: { phase: "Running", conditions: [{ type: "Ready", status: ready }], restarts: [1, null, "é"] },
});

test("a shared object is equal to the original, and its small parts are those of earlier objects", () => {
  const values = new SharedValues();
  const [first, second, third] = ["True", "True", "False"].map((ready, at) =>
    values.share(pod(`${at}`, ready)),
  );
  assert.deepEqual([first, second, third], [pod("0", "True"), pod("1", "True"), pod("2", "False")]);
  assert.equal(second?.status, first?.status);
  assert.notEqual(third?.status, first?.status);
});

test("a shared part cannot be changed", () => {
  const { status } = new SharedValues().share(pod("a", "True"));
  assert.throws(() => Object.assign(status.conditions[0] ?? {}, { status: "False" }), TypeError);
});

test("after more values than the maximum, new values are still shared", () => {
  const values = new SharedValues();
  for (let at = 0; at < 20_001; at++) values.share({ at });
  assert.equal(values.share({ at: "new" }), values.share({ at: "new" }));
});
