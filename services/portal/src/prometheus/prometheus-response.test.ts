import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { prometheusEnvelope } from "./prometheus-response.ts";

test("only the fields of the Prometheus API pass", () => {
  const envelope = {
    status: "error",
    data: { resultType: "vector", result: [] },
    errorType: "bad_data",
    error: "parse error",
    warnings: ["w"],
    infos: ["i"],
  };
  assert.deepEqual(prometheusEnvelope(400, { ...envelope, html: "<script>" }), envelope);
  assert.deepEqual(prometheusEnvelope(200, { status: "success" }), { status: "success" });
});

const invalid: readonly [name: string, status: number | undefined, value: unknown, reason: RegExp][] = [
  ["an array", 200, [], /not a JSON object/],
  ["a missing status", 200, {}, /`status`/],
  ["a status of a different type", 200, { status: ["success"] }, /`status`/],
  ["an error that is an object", 400, { status: "error", error: {} }, /`error` has the wrong type/],
  ["warnings that are not strings", 200, { status: "success", warnings: [1] }, /`warnings`/],
  ["a redirect", 302, { status: "success" }, /status 302/],
  ["no status", undefined, { status: "success" }, /status undefined/],
];
for (const [name, status, value, reason] of invalid)
  test(`${name} is an invalid response`, () => {
    assert.throws(() => prometheusEnvelope(status, value), {
      code: "ClusterResponseInvalid",
      message: reason,
    });
  });

test("any JSON produces an envelope or ClusterResponseInvalid", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 999 }), (value, status) => {
      try {
        const { status: outcome } = prometheusEnvelope(status, value);
        assert.match(outcome, /^success$|^error$/);
      } catch (error) {
        assert.ok(error instanceof Error && "code" in error && error.code === "ClusterResponseInvalid");
      }
    }),
  );
});
