import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AdminResponse } from "./admin-api.ts";
import { outcomeOf, outcomeOfAction } from "./outcome.ts";

const response = (body: string, more: Partial<AdminResponse> = {}): AdminResponse => ({
  status: 200,
  mediaType: "application/json",
  bytes: Buffer.from(body),
  isTruncated: false,
  location: undefined,
  ...more,
});

describe("the outcome of a response of the admin API", () => {
  test("has JSON in indented form", () =>
    assert.deepEqual(outcomeOf(response('{"a":[1]}')), {
      state: "Succeeded",
      content: '{\n  "a": [\n    1\n  ]\n}',
      truncated: false,
    }));

  test("has text as it is, with bytes that are not UTF-8 replaced", () => {
    const bytes = Buffer.from([0x61, 0xff, 0x1b, 0x5b]);
    const { content } = outcomeOf(response("", { mediaType: "text/plain", bytes }));
    assert.equal(content, "a\ufffd\u001b[");
  });

  test("has at most 10,000 lines", () => {
    const { content, truncated } = outcomeOf(response("x\n".repeat(20_000), { mediaType: "text/plain" }));
    assert.deepEqual([content.split("\n").length, truncated], [10_000, true]);
  });

  test("has the code and message of an error, and its details", () => {
    const error = { code: "InvalidParameter", message: "No.", details: [{ code: "X", message: "y" }] };
    const outcome = outcomeOf(response(JSON.stringify({ error }), { status: 400 }));
    assert.deepEqual(
      [outcome.state, outcome.error],
      ["Failed", { code: "InvalidParameter", message: "No." }],
    );
    assert.match(outcome.content, /"code": "X"/);
  });

  test("of content that claims to be JSON is an error", () => {
    assert.throws(() => outcomeOf(response("<script>")), { code: "ClusterResponseInvalid" });
    assert.throws(() => outcomeOf(response("{}", { isTruncated: true })), {
      code: "ClusterResponseTooLarge",
    });
  });
});

test("the outcome of a running action has its progress", () =>
  assert.deepEqual(outcomeOfAction(response('{"state":"Running","progress":["one","two"]}')), {
    state: "Running",
    content: "one\ntwo",
    truncated: false,
  }));

test("the outcome of an action has its result behind its progress, and its error", () => {
  const body = { state: "Failed", progress: ["one"], result: { a: 1 }, error: { code: "C", message: "m" } };
  const { state, content, error } = outcomeOfAction(response(JSON.stringify(body)));
  assert.deepEqual([state, content, error], ["Failed", 'one\n{\n  "a": 1\n}', { code: "C", message: "m" }]);
});
