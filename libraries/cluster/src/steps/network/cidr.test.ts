import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findOverlap, highestFreeAddress, parseCidr } from "./cidr.ts";

const ranges = (...texts: string[]) => texts.map(parseCidr).filter((range) => range !== undefined);

for (const [texts, overlap] of [
  [["10.0.0.0/24", "10.0.1.0/24", "172.30.0.0/16"], undefined],
  [
    ["10.0.0.0/16", "10.0.1.0/24"],
    ["10.0.1.0/24", "10.0.0.0/16"],
  ],
  [
    ["10.0.1.0/24", "10.0.0.0/16"],
    ["10.0.1.0/24", "10.0.0.0/16"],
  ],
  [
    ["10.0.0.0/24", "10.0.1.0/24", "10.0.0.0/16"],
    ["10.0.0.0/16", "10.0.0.0/24"],
  ],
  [
    ["10.0.0.0/24", "10.0.0.0/24"],
    ["10.0.0.0/24", "10.0.0.0/24"],
  ],
] as const) {
  test(`${texts.join(", ")}: ${overlap ? `${overlap[0]} overlaps with ${overlap[1]}` : "no overlap"}`, () => {
    assert.deepEqual(
      findOverlap(ranges(...texts))?.map(({ text }) => text),
      overlap,
    );
  });
}

for (const text of ["10.0.0.0", "10.0.0.0/33", "10.0.0.256/8", "fd00::/64", "10.0.0.0/x", ""]) {
  test(`"${text}" is no IPv4 range`, () => assert.equal(parseCidr(text), undefined));
}

test("a range is given in its canonical form", () => {
  assert.equal(parseCidr("10.1.2.3/16")?.text, "10.1.0.0/16");
});

test("the highest free address leaves out Azure's own and those taken", () => {
  const [subnet] = ranges("10.0.0.0/29");
  assert.ok(subnet);
  assert.equal(highestFreeAddress(subnet, new Set()), "10.0.0.6");
  assert.equal(highestFreeAddress(subnet, new Set(["10.0.0.6", "10.0.0.5"])), "10.0.0.4");
  assert.equal(highestFreeAddress(subnet, new Set(["10.0.0.4", "10.0.0.5", "10.0.0.6"])), undefined);
});

test("two ranges overlap exactly when one holds an end of the other", () => {
  const cidr = fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 32 })).map(([ip, length]) => `${ip}/${length}`);
  fc.assert(
    fc.property(cidr, cidr, (a, b) => {
      const [x, y] = ranges(a, b);
      assert.ok(x && y);
      assert.equal(findOverlap([x, y]) !== undefined, x.first <= y.last && y.first <= x.last);
    }),
  );
});
