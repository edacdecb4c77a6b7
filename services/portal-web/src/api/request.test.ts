import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { failureOf } from "./request.ts";

test("an error of the portal keeps its code and message", () => {
  const failure = failureOf(
    504,
    '{"error":{"code":"ClusterTimedOut","message":"The cluster did not answer."}}',
  );
  assert.deepEqual(
    [failure.status, failure.code, failure.message],
    [504, "ClusterTimedOut", "The cluster did not answer."],
  );
});

test("a refusal without a code keeps its message", () => {
  const failure = failureOf(403, '{"error":"Elevated access is required."}');
  assert.deepEqual(
    [failure.status, failure.code, failure.message],
    [403, "403", "Elevated access is required."],
  );
});

test("every other response is an error that names the status", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (body) =>
      assert.match(failureOf(502, body).message, /status 502/),
    ),
  );
});
