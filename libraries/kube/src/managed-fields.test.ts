import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainObject } from "@keelson/base";
import fc from "fast-check";
import { withoutManagedFields } from "./managed-fields.ts";

/** As slow and as plain as can be. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === "managedFields" && Array.isArray(each) ? [] : emptied(each),
    ]),
  );
}

const names = fc
  .oneof(
    fc.constantFrom("managedFields", 'x"managedFields', "metadata", 'k:{"type":"Ready"}', "\\", '\\"', "]"),
    fc.string({ unit: fc.constantFrom('"', "\\", "[", "]", "{", "}", ":", "a"), maxLength: 6 }),
  )
  .filter((name) => name !== "__proto__");

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('"managedFields":[', "managedFields", '\\"managedFields\\":[1]'),
    names,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("every array managedFields is empty, and nothing else differs, whatever names and strings hold", () => {
  fc.assert(
    fc.property(values, (value) => {
      const json = JSON.stringify(value);
      assert.deepEqual(JSON.parse(withoutManagedFields(json)), emptied(JSON.parse(json)));
    }),
    { numRuns: 2_000 },
  );
});

test("text that breaks off is left as it is, so that its parser says so", () => {
  for (const text of ['{"managedFields":[', '{"managedFields":[{"a":"b', '{"managedFields":["\\"]}'])
    assert.equal(withoutManagedFields(text), text);
});
