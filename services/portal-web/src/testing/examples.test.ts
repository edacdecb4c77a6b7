import assert from "node:assert/strict";
import { test } from "node:test";
import { portalRoutes } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { exampleAnswer } from "./example-answers.ts";

for (const [name, route] of Object.entries(portalRoutes)) {
  if (!("answer" in route)) continue;
  test(`the example response to ${name} is valid`, () => {
    const answer = exampleAnswer(name);
    assert.notEqual(answer, undefined);
    assert.deepEqual([...Value.Errors(route.answer, answer)], []);
  });
}
