import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RandomSet } from "./random-set.ts";

test("a random set has the elements of a Set after any changes, and selects each of them", () => {
  const change = fc.record({ isAdded: fc.boolean(), member: fc.integer({ min: 0, max: 5 }) });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const [set, model] = [new RandomSet<number>(), new Set<number>()];
      for (const { isAdded, member } of changes) {
        if (isAdded) set.add(member);
        else set.delete(member);
        if (isAdded) model.add(member);
        else model.delete(member);
        assert.equal(set.size, model.size);
        const picked = Array.from({ length: model.size }, (_, i) => set.pick((i + 0.5) / model.size));
        assert.deepEqual(new Set(picked), model);
      }
      if (model.size === 0) assert.equal(set.pick(0.5), undefined);
    }),
  );
});
