import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nextOrder, sorted } from "./sort.ts";

test("a column is chosen ascending, then descending, then ascending", () => {
  const first = nextOrder({ column: "version", descending: true }, "name");
  assert.deepEqual(first, { column: "name", descending: false });
  const second = nextOrder(first, "name");
  assert.deepEqual(second, { column: "name", descending: true });
  assert.deepEqual(nextOrder(second, "name"), first);
});

test("embedded numbers are compared: 4.9 is before 4.17, worker-2 before worker-10", () => {
  const order = (...values: readonly string[]) => sorted(values, (value) => value, false);
  assert.deepEqual(order("4.17.3", "4.9.0", "4.17.21"), ["4.9.0", "4.17.3", "4.17.21"]);
  assert.deepEqual(order("worker-10", "worker-2"), ["worker-2", "worker-10"]);
});

test("empty values are last, ascending and descending", () => {
  assert.deepEqual(
    sorted(["", "b", "a"], (value) => value, false),
    ["a", "b", ""],
  );
  assert.deepEqual(
    sorted(["", "b", "a"], (value) => value, true),
    ["b", "a", ""],
  );
});

test("sorting keeps every row, and rows of equal values in their order", () => {
  const rows = fc.array(fc.record({ value: fc.constantFrom("x", "y", "", "z10", "z2"), at: fc.nat() }));
  fc.assert(
    fc.property(rows, fc.boolean(), (all, descending) => {
      const after = sorted(all, ({ value }) => value, descending);
      assert.deepEqual(new Set(after), new Set(all));
      assert.equal(after.length, all.length);
      for (const value of new Set(all.map((row) => row.value)))
        assert.deepEqual(
          after.filter((row) => row.value === value),
          all.filter((row) => row.value === value),
        );
    }),
  );
});
