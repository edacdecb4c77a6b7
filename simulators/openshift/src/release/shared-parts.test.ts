import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { joinParts, shareParts } from "./shared-parts.ts";

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 40 }),
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== "__proto__"),
      tie("value"),
      { maxKeys: 5 },
    ),
  ),
})).value;

test("unpacking returns the packed values, with any repetitions", () => {
  fc.assert(
    fc.property(fc.array(json, { maxLength: 4 }), fc.array(fc.nat(3), { maxLength: 6 }), (some, again) => {
      const values = [...some, ...again.map((index) => ({ around: some[index] ?? null }))];
      const through: unknown = JSON.parse(JSON.stringify(shareParts(values)));
      assert.deepEqual(joinParts(shareParts(values)), JSON.parse(JSON.stringify(values)));
      assert.deepEqual(through, JSON.parse(JSON.stringify(shareParts(values))));
    }),
  );
});

test("equal parts are stored once and unpacked to the same object", () => {
  const large = {
    type: "object",
    properties: { name: { type: "string", pattern: "^[a-z]+$", maxLength: 63 } },
    required: ["name"],
  };
  const packed = shareParts([{ first: large }, { second: [structuredClone(large)] }]);
  assert.deepEqual(packed.parts, [large]);
  const [one, two] = joinParts(packed) as [{ first: object }, { second: object[] }];
  assert.equal(one.first, two.second[0]);
});

test("a property that resembles a reference is rejected", () => {
  assert.throws(() => shareParts([{ $part: 0 }]), /\$part/);
});
