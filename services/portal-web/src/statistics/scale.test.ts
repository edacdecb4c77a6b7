import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nearest, type Point, seriesOf, thinned, valueTicks } from "./scale.ts";

const pointsOf = (values: readonly number[]): readonly Point[] =>
  values.map((value, at) => ({ ms: at * 120_000, value }));
const value = fc.double({ min: -1e9, max: 1e12, noNaN: true });

test("ticks are round and include every value", () => {
  assert.deepEqual(valueTicks(0, 9.3, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(valueTicks(0.1, 0.37, 4), [0, 0.1, 0.2, 0.3, 0.4]);
  assert.deepEqual(valueTicks(-3, 5, 4), [-4, -2, 0, 2, 4, 6]);
  fc.assert(
    fc.property(value, value, fc.integer({ min: 2, max: 8 }), (one, other, most) => {
      const [least, largest] = [Math.min(one, other), Math.max(one, other)];
      const ticks = valueTicks(least, largest, most);
      const slack = (Math.abs(least) + Math.abs(largest)) * 1e-5;
      assert.ok((ticks[0] ?? 0) <= least + slack);
      assert.ok((ticks.at(-1) ?? 0) >= largest - slack);
      assert.ok(ticks.length >= 2 && ticks.length <= most + 3, String(ticks));
    }),
  );
});

test("a chart of nothing but zeros has a scale", () => {
  const ticks = valueTicks(0, 0, 5);
  assert.ok(ticks.length >= 2 && (ticks.at(-1) ?? 0) > 0);
});

test("thinning keeps order, peaks and valleys, and few points", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (values, buckets) => {
      const points = pointsOf(values);
      const few = thinned(points, buckets);
      assert.ok(few.length <= Math.max(2 * buckets, 0));
      assert.deepEqual(
        few,
        few.toSorted((one, other) => one.ms - other.ms),
      );
      assert.ok(few.every((point) => points.includes(point)));
      if (points.length > 0) {
        assert.equal(Math.max(...few.map((each) => each.value)), Math.max(...values));
        assert.equal(Math.min(...few.map((each) => each.value)), Math.min(...values));
      }
    }),
  );
});

test("the nearest point is that with the least distance", () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 50 }),
      fc.integer({ min: -10, max: 8_000_000 }),
      (values, ms) => {
        const points = pointsOf(values);
        const found = nearest(points, ms);
        const distances = points.map((point) => Math.abs(point.ms - ms));
        assert.equal(Math.abs((found?.ms ?? Number.NaN) - ms), Math.min(...distances));
      },
    ),
  );
  assert.equal(nearest([], 0), undefined);
});

test("series are ordered by time, without invalid values", () => {
  const [series] = seriesOf([
    {
      metricname: "a",
      metricvalue: [
        { timestamp: "2026-11-27T00:02:00Z", value: 2 },
        { timestamp: "2026-11-27T00:00:00Z", value: 1 },
        { timestamp: "never", value: 3 },
        { timestamp: "2026-11-27T00:04:00Z", value: Number.NaN },
      ],
    },
  ]);
  assert.deepEqual(
    series?.points.map((point) => point.value),
    [1, 2],
  );
});
