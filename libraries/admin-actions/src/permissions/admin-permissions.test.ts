import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionsOf } from "./admin-permissions.ts";

test("an action needs a reason only where the configuration requires reasons", () => {
  assert.deepEqual(
    permissionsOf("elevated", false).filter(({ needsReason }) => needsReason),
    [],
  );
  const required = permissionsOf("reader", true).filter(({ needsReason }) => needsReason);
  assert.ok(required.length > 0);
  assert.deepEqual(
    required.filter(({ allowed }) => allowed),
    [],
    "a reader has no right to actions that need a reason",
  );
});
