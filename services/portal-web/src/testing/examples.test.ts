import assert from "node:assert/strict";
import { test } from "node:test";
import { portalRoutes } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { exampleResponse } from "./example-responses.ts";

for (const [name, route] of Object.entries(portalRoutes)) {
  if (!("response" in route)) continue;
  test(`the example response to ${name} is valid`, () => {
    const response = exampleResponse(name);
    assert.notEqual(response, undefined);
    assert.deepEqual([...Value.Errors(route.response, response)], []);
  });
}
