import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { machinePath, parseMachinePath } from "./machine-path.ts";

test("a machine's path is parsed to the same machine and port", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.integer({ min: 0, max: 65_535 }),
      (name, port) => {
        const id = `/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/${name}`;
        assert.deepEqual(parseMachinePath(machinePath({ machine: { id }, port })), { machine: { id }, port });
      },
    ),
  );
});

for (const path of [
  "/machines/a/ports/",
  "/machines/a/b/ports/22",
  "/machines//ports/22",
  "/machines/%FF/ports/22",
])
  test(`${path} is not a path of a machine`, () => {
    assert.equal(parseMachinePath(path), undefined);
  });
