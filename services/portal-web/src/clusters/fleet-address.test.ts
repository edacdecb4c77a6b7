import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { initialOrder, readView, viewParameters } from "./fleet-address.ts";

test("an address has the view that it was made of", () => {
  const value = fc.string({ minLength: 1 });
  const values = fc.uniqueArray(value, { maxLength: 3 });
  const view = fc.record(
    {
      filter: fc.string(),
      choice: fc.record(
        { health: values, state: values, version: values, region: values },
        { noNullPrototype: true },
      ),
      order: fc.record(
        { column: fc.constantFrom("Name", "Version", "Resource Group"), descending: fc.boolean() },
        { noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(view, (shown) => {
      assert.deepEqual(readView(new URLSearchParams(`${viewParameters(shown)}`)), shown);
    }),
  );
});

test("the initial view has no parameters", () => {
  const { choice, ...view } = readView(new URLSearchParams());
  assert.deepEqual(view, { filter: "", order: initialOrder });
  assert.equal(`${viewParameters({ ...view, choice })}`, "");
});
