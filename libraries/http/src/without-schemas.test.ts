import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutSchemas } from "./without-schemas.ts";

test("the schema compilers of a server without schemas fail with the remedy", () => {
  for (const build of Object.values(withoutSchemas.compilersFactory))
    assert.throws(build, /Remove `schemaController: withoutSchemas`/);
});
