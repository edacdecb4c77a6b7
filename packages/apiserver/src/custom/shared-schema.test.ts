import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedSchema, textOfSchema } from "./shared-schema.ts";

const megabyte = "x".repeat(1_048_576);

test("equal schemas are read once, and dropped when those used since take too much memory", () => {
  const small = { type: "object", title: "small" };
  const kept = sharedSchema(small);
  assert.equal(sharedSchema({ ...small }), kept);
  assert.equal(textOfSchema(kept), JSON.stringify(small));
  for (let at = 0; at < 60; at++) sharedSchema({ type: "object", title: `${at}`, description: megabyte });
  assert.equal(sharedSchema(small), kept, "what was used last is kept");
  for (let at = 60; at < 130; at++) sharedSchema({ type: "object", title: `${at}`, description: megabyte });
  assert.notEqual(sharedSchema(small), kept);
});
