import assert from "node:assert/strict";
import { test } from "node:test";
import { adminActions } from "@keelson/admin-actions";
import { routes } from "../routes.ts";
import { adminAction } from "./admin-action.ts";

for (const action of adminActions) {
  const name = `${action.method} ${action.suffix}`;
  test(`${name} has a path that a normalised request can match`, () => {
    assert.equal(action.suffix, action.suffix.toLowerCase());
  });
  if (action.long?.resumable) {
    test(`${name} stores everything that a second process needs to resume it`, () => {
      assert.deepEqual([action.mutating, action.recorded], [true, undefined]);
    });
  }
  test(`${name} differs from a read in its method`, () => {
    assert.equal(action.mutating, action.method !== "GET");
  });
}

test("all actions and routes are distinct", () => {
  const all = [...routes, ...adminActions.map(adminAction)].map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(all).size, all.length);
});
