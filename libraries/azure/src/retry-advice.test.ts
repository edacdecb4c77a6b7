import assert from "node:assert/strict";
import { test } from "node:test";
import { createHttpHeaders, createPipelineRequest, RestError } from "@azure/core-rest-pipeline";
import { ManualClock } from "@keelson/base/testing";
import { azureErrorCode, azureErrorMessage, isNotFound, statusOf } from "./azure-error.ts";
import { errors } from "./errors.ts";
import { armRetry, isAuthorizationPropagation, retryAdvice } from "./retry-advice.ts";

function restError(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  message = "text",
): RestError {
  const request = createPipelineRequest({ url: "https://localhost/" });
  const response = { status, request, headers: createHttpHeaders(headers) };
  const error = new RestError(message, { statusCode: status, request, response });
  error.details = { error: { code, message } };
  return error;
}

const retry = { kind: "retry" };
const terminal = { kind: "terminal" };

const rows: readonly (readonly [name: string, error: unknown, advice: unknown])[] = [
  ["throttled", restError(429, "TooManyRequests"), retry],
  [
    "throttled with a time",
    restError(429, "TooManyRequests", { "retry-after": "7" }),
    { ...retry, afterMs: 7_000 },
  ],
  ["a conflict", restError(409, "Conflict"), terminal],
  [
    "a conflict with a time",
    restError(409, "Conflict", { "retry-after": "2" }),
    { ...retry, afterMs: 2_000 },
  ],
  ["another operation", restError(409, "AnotherOperationInProgress"), retry],
  ["a conflict that asks to come back", restError(409, "Conflict", {}, "Please retry later."), retry],
  ["a retryable error", restError(400, "RetryableError"), retry],
  [
    "an operation that Azure could not finish for now",
    new Error("The long-running operation has failed. InternalOperationError. Please retry later."),
    retry,
  ],
  [
    "an operation that Azure cannot finish",
    new Error("The long-running operation has failed. AllocationFailed. There is no capacity left."),
    terminal,
  ],
  ["a server error", restError(503, "ServerBusy"), retry],
  ["not implemented", restError(501, "NotImplemented"), terminal],
  ["a bad request", restError(400, "InvalidParameter"), terminal],
  ["not found", restError(404, "ResourceNotFound"), terminal],
  ["a refused connection", new RestError("connect", { code: "ECONNREFUSED" }), retry],
  ["a new secret", new Error("invalid_client: AADSTS7000215: Invalid client secret provided."), retry],
  ["a new application", errors.InvalidCredentials("AADSTS700016: Application was not found."), retry],
  ["an expired secret", errors.InvalidCredentials("AADSTS7000222: The secret is expired."), terminal],
  ["a silent identity provider", errors.IdentityProviderUnavailable("no answer"), retry],
  ["an abort", new DOMException("aborted", "AbortError"), terminal],
  ["a programming error", new TypeError("x is not a function"), terminal],
  ["a text", "thrown", terminal],
];

for (const [name, error, advice] of rows) {
  test(`advice for ${name} is ${JSON.stringify(advice)}`, () => assert.deepEqual(retryAdvice(error), advice));
}

test("propagating rights are distinguished from rights that are missing in the request", () => {
  assert.equal(isAuthorizationPropagation(restError(403, "AuthorizationFailed")), true);
  assert.equal(isAuthorizationPropagation(restError(403, "LinkedAuthorizationFailed")), true);
  assert.equal(isAuthorizationPropagation(new Error("AADSTS700016: not found")), true);
  assert.equal(isAuthorizationPropagation(restError(403, "RequestDisallowedByPolicy")), false);
});

test("code, message and status are read from SDK errors", () => {
  const error = restError(404, "ResourceGroupNotFound");
  assert.equal(azureErrorCode(error), "ResourceGroupNotFound");
  assert.equal(azureErrorMessage(error), "text");
  assert.equal(statusOf(error), 404);
  assert.equal(isNotFound(error), true);
  const failed = new Error("The long-running operation has failed. Conflict. Something is in the way.");
  assert.equal(azureErrorCode(failed), "Conflict");
  assert.equal(statusOf(new Error("no answer")), undefined);
  assert.equal(azureErrorCode("text"), undefined);
});

test("armRetry respects Retry-After and stops after permanent errors", async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const responses = [restError(429, "TooManyRequests", { "retry-after": "3" }), restError(409, "Conflict")];
  let tries = 0;
  const run = armRetry(() => Promise.reject(responses[tries++]), { clock, signal });
  const outcome = assert.rejects(run, (error) => azureErrorCode(error) === "Conflict");
  await clock.advance(2_999);
  assert.equal(tries, 1);
  await clock.advance(1);
  await outcome;
  assert.equal(tries, 2);
});
