import assert from "node:assert/strict";
import { test } from "node:test";
import { prepareSchema, sharedSchema } from "./shared-schema.ts";

test("a large schema is prepared in parts and then cached", () => {
  const pattern = "^a{1,10}$";
  const property = { type: "string", description: "x".repeat(120), pattern };
  const large = () => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`prepared${at}`, property])),
  });
  const phases = prepareSchema(large());
  let parts = 1;
  let step = phases.next();
  for (; !step.done; parts++) step = phases.next();
  assert.ok(parts >= 8, `${parts} parts`);
  assert.equal(sharedSchema(large()), step.value);
});
