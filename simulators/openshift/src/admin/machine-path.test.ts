import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { machinePath, parseMachinePath } from "./machine-path.ts";

test("a machine's path is parsed to the same machine, port and owning tags", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\w.-]{1,64}$/),
      fc.integer({ min: 0, max: 65_535 }),
      fc.dictionary(fc.string(), fc.constantFrom("owned", "shared", 1)),
      (name, port, tags) => {
        const parsed = parseMachinePath(machinePath({ machine: { name, tags }, port }));
        const owned = Object.entries(tags).filter(([, value]) => value === "owned");
        assert.deepEqual(parsed, { machine: { name, tags: Object.fromEntries(owned) }, port });
      },
    ),
  );
});

for (const path of ["/machines/a/ports/22", "/machines/a%2fb/ports/22?", "/machines//ports/22?", "/faults?"])
  test(`${path} is no path of a machine`, () => {
    assert.equal(parseMachinePath(path), undefined);
  });
