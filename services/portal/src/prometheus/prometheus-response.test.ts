import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parsePrometheusResponse } from "./prometheus-response.ts";

test("the fields of the Prometheus API pass, and no others", () => {
  const envelope = {
    status: "error",
    data: { resultType: "vector", result: [] },
    errorType: "bad_data",
    error: "parse error",
    warnings: ["w"],
    infos: ["i"],
  };
  const body = JSON.stringify({ ...envelope, html: "<script>" });
  assert.deepEqual(parsePrometheusResponse(400, body), envelope);
  assert.deepEqual(parsePrometheusResponse(200, '{"status":"success"}'), { status: "success" });
});

const invalid: readonly [name: string, status: number | undefined, body: string, reason: RegExp][] = [
  ["HTML", 200, "<!doctype html><script>1</script>", /not JSON/],
  ["an empty body", 200, "", /not JSON/],
  ["an array", 200, "[]", /not a JSON object/],
  ["a missing status", 200, "{}", /`status`/],
  ["a status of a different type", 200, '{"status":["success"]}', /`status`/],
  ["an error that is an object", 400, '{"status":"error","error":{}}', /`error` has the wrong type/],
  ["warnings that are not strings", 200, '{"status":"success","warnings":[1]}', /`warnings`/],
  ["a redirect", 302, '{"status":"success"}', /status 302/],
  ["no status", undefined, '{"status":"success"}', /status undefined/],
];
for (const [name, status, body, reason] of invalid)
  test(`${name} is an invalid response`, () => {
    assert.throws(() => parsePrometheusResponse(status, body), {
      code: "ClusterResponseInvalid",
      message: reason,
    });
  });

test("any bytes give an envelope or ClusterResponseInvalid", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.integer({ min: 0, max: 999 }), (body, status) => {
      try {
        const { status: outcome } = parsePrometheusResponse(status, body);
        assert.match(outcome, /^success$|^error$/);
      } catch (error) {
        assert.ok(error instanceof Error && "code" in error && error.code === "ClusterResponseInvalid");
      }
    }),
  );
});
