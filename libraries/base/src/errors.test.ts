import assert from "node:assert/strict";
import { test } from "node:test";
import { defineErrors, isCoded, messageOf, messageWithCause } from "./errors.ts";

const errors = defineErrors({ Busy: { retry: "backoff" }, Gone: { retry: "never" } });

test("a coded error carries its code, advice, message and cause", () => {
  const cause = new Error("socket");
  const error = errors.Busy("try later", { cause });
  assert.equal(error.code, "Busy");
  assert.equal(error.name, "Busy");
  assert.equal(error.retry, "backoff");
  assert.equal(error.message, "try later");
  assert.equal(error.cause, cause);
});

test("codes are distinguished", () => {
  assert.ok(isCoded(errors.Gone("x"), "Gone"));
  assert.ok(isCoded(errors.Gone("x")));
  assert.ok(!isCoded(errors.Gone("x"), "Busy"));
  assert.ok(!isCoded(new Error("Gone"), "Gone"));
});

test("anything thrown has a message", () => {
  assert.equal(messageOf(new Error("a")), "a");
  assert.equal(messageOf("b"), "b");
  assert.equal(messageOf(undefined), "undefined");
  assert.equal(messageOf({ name: "ErrnoError", message: "FS error", errno: 51 }), "ErrnoError FS error 51");
  assert.equal(messageOf({}), "[object Object]");
  assert.equal(
    messageOf(new AggregateError([new Error("no ::1"), new Error("no 127.0.0.1")])),
    "no ::1; no 127.0.0.1",
  );
});

test("the message of a cause follows the message of its error, unless the error's message contains it", () => {
  const busy = new Error("The network is busy.");
  assert.equal(
    messageWithCause(new Error("Deployment failed.", { cause: busy })),
    "Deployment failed. Cause: The network is busy.",
  );
  assert.equal(messageWithCause(new Error(`a: ${busy.message}`, { cause: busy })), `a: ${busy.message}`);
  assert.equal(messageWithCause(busy), busy.message);
  assert.equal(messageWithCause("b"), "b");
});
