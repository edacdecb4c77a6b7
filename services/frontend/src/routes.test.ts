import assert from "node:assert/strict";
import { test } from "node:test";
import { paths } from "./http/messages/paths.ts";
import { routes } from "./routes.ts";

for (const route of routes) {
  const name = `${route.method} ${route.path}`;
  test(`${name} is public only if it reports readiness`, () => {
    assert.equal(route.authorization, route.path.startsWith(paths.ready) ? "none" : undefined);
  });
  test(`${name} has a path that a normalised request can match`, () => {
    const fixed = route.path.split("/").filter((segment) => !segment.startsWith(":"));
    assert.equal(fixed.join("/"), fixed.join("/").toLowerCase());
  });
}

test("every path has a route, and no two routes are the same", () => {
  const names = routes.map((route) => `${route.method} ${route.path}`);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(new Set(routes.map((route) => route.path)), new Set(Object.values(paths)));
});
