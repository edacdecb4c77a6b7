import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Wave } from "./wave.ts";

test("a level is positive and deterministic for its name", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 4e12 }), (name, ms) => {
      const level = new Wave(name).level(ms);
      assert.ok(level > 0.5 && level < 1.5);
      assert.equal(level, new Wave(name).level(ms));
    }),
  );
});

test("the total is the integral of the level", () => {
  const time = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 3_600 }), (fromMs, seconds) => {
      const wave = new Wave("x");
      const summed = Array.from({ length: 100 }, (_, step) =>
        wave.level(fromMs + (step + 0.5) * seconds * 10),
      ).reduce((sum, level) => sum + (level * seconds) / 100, 0);
      assert.ok(Math.abs(wave.total(fromMs, fromMs + seconds * 1_000) - summed) < 0.01 * seconds);
    }),
  );
});
