import assert from "node:assert/strict";
import { test } from "node:test";
import { parseIpv4Range } from "@keelson/base";
import fc from "fast-check";
import { findOverlap, highestFreeAddress } from "./subnet-ranges.ts";

const ranges = (...texts: string[]) => texts.map(parseIpv4Range).filter((range) => range !== undefined);

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
