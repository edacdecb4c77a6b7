import assert from "node:assert/strict";
import { test } from "node:test";
import { asCloudError, CloudError, flattenCloudError } from "./cloud-error.ts";

test("a cloud error has the wire's properties without empty ones", () => {
  const bare = new CloudError("Forbidden", "Forbidden.");
  assert.equal(bare.status, 403);
  assert.deepEqual(bare.body, { code: "Forbidden", message: "Forbidden." });
  const full = new CloudError("InvalidParameter", "Bad.", {
    target: "properties.x",
    details: [{ code: "InvalidParameter", message: "Bad." }],
  });
  assert.deepEqual(full.body, {
    code: "InvalidParameter",
    message: "Bad.",
    target: "properties.x",
    details: [{ code: "InvalidParameter", message: "Bad." }],
  });
  assert.equal(
    flattenCloudError(full),
    "400: InvalidParameter: properties.x: Bad. Details: InvalidParameter: : Bad.",
  );
});

test("any other error shows nothing of itself", () => {
  const shown = asCloudError(new Error("password=hunter2"));
  assert.equal(shown.status, 500);
  assert.deepEqual(shown.body, { code: "InternalServerError", message: "Internal server error." });
});

test("a message that is too long is cut", () => {
  const { message, body } = new CloudError("QuotaExceeded", `sent: '\u0000' ${"x".repeat(100_000)}`);
  assert.equal(message.length, 16_384);
  assert.equal(body.message, message);
  assert.ok(message.startsWith("sent: '\u0000' x"));
});
