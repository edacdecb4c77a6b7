import type { Readable } from "node:stream";
import { CloudError } from "@keelson/arm";
import type { JsonValue } from "@keelson/base";
import { mediaTypeOf, receiveBody } from "@keelson/http";

/** Maximum body size in bytes. Larger bodies are rejected. Source: Azure/ARO-RP pkg/frontend/middleware/body.go. */
export const bodyLimitBytes = 1_048_576;

/** Time limit in ms between two bytes of a body. Source: Azure/ARO-RP pkg/frontend/frontend.go, where it limits the whole body. */
export const receiveLimitMs = 10_000;

/** Maximum nesting depth of a body. Deeper objects could exhaust the stack of recursive functions. */
const depthLimit = 100;

/** Received body. `bytes` contains only the bytes within the size limit. */
export interface RequestBody {
  readonly bytes: Buffer;
  readonly tooLarge: boolean;
}

/**
 * Reads a body completely. `declaredBytes` is the content length that the client declared.
 * @throws InvalidResource (413) if the body is far too large
 * @throws InvalidRequestContent if the time limit is exceeded (408), or the connection breaks before the end
 * @throws ServiceUnavailable if `signal` aborts before the end
 */
export async function readBody(
  stream: Readable,
  signal: AbortSignal,
  declaredBytes: number | undefined,
): Promise<RequestBody> {
  const limits = { maxBytes: bodyLimitBytes, receiveMs: receiveLimitMs };
  const received = await receiveBody(stream, limits, signal, declaredBytes);
  switch (received.kind) {
    case "complete":
      return { bytes: received.bytes, tooLarge: false };
    case "too-large":
      if (received.isRead) return { bytes: Buffer.alloc(0), tooLarge: true };
      throw tooLarge(413);
    case "late":
      throw late();
    case "broken": {
      const { cause } = received;
      throw new CloudError("InvalidRequestContent", "The request body is incomplete.", { cause });
    }
    case "aborted":
      throw interrupted(signal.reason);
  }
}

/**
 * Checks the size and the content type of a body.
 * @throws InvalidResource (too large), UnsupportedMediaType
 */
export function checkBody(body: RequestBody, contentType: string | undefined): void {
  if (body.tooLarge) throw tooLarge();
  if (contentType === undefined && body.bytes.length === 0) return;
  if (mediaTypeOf(contentType) === "application/json") return;
  throw unsupportedMediaType(contentType);
}

export function unsupportedMediaType(contentType = ""): CloudError {
  return new CloudError(
    "UnsupportedMediaType",
    `The content media type '${contentType}' is not supported. Only 'application/json' is supported.`,
  );
}

function tooLarge(status = 400): CloudError {
  return new CloudError("InvalidResource", "The resource definition is invalid.", { status });
}

/** Returns the error for a request that the service aborts, either because the service stops or because of the time limit. */
export function interrupted(cause: unknown): CloudError {
  return new CloudError(
    "ServiceUnavailable",
    "The service interrupted the request. Please try again later.",
    {
      cause,
    },
  );
}

function late(): CloudError {
  return new CloudError("InvalidRequestContent", "The request did not arrive in time.", { status: 408 });
}

/**
 * Parses a JSON body. Names such as `__proto__` become ordinary properties. Code that uses the result must read objects with
 * `Object.entries` and `Object.hasOwn`, and copy them by spreading. Errors do not quote the body.
 * @throws InvalidRequestContent, also if the body is nested too deeply
 */
export function parseJson(bytes: Buffer): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw invalidContent(syntaxErrorReason(bytes, error));
  }
  checkDepth(value, 0);
  return value;
}

export function invalidContent(reason: string): CloudError {
  return new CloudError(
    "InvalidRequestContent",
    `The request content was invalid and could not be deserialized: ${JSON.stringify(reason)}.`,
  );
}

/**
 * Returns a message with the position of a syntax error. V8's own message is not used, because it may quote a secret from the
 * body.
 */
function syntaxErrorReason(bytes: Buffer, error: unknown): string {
  if (bytes.length === 0) return "unexpected end of JSON input";
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position ? `invalid JSON at position ${position}` : "invalid JSON";
}

function checkDepth(value: JsonValue | undefined, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth === depthLimit) throw invalidContent(`nested more than ${depthLimit} levels deep`);
  // This loop is faster than `Object.values`, and a body has hundreds of values.
  if (isList(value)) for (const element of value) checkDepth(element, depth + 1);
  else for (const name in value) checkDepth(value[name], depth + 1);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * Rejects strings with NUL or unpaired surrogates, because databases cannot store them.
 * @throws InvalidRequestContent
 */
export function checkTexts(value: JsonValue | undefined): void {
  if (typeof value === "string") checkText(value);
  if (typeof value !== "object" || value === null) return;
  if (isList(value)) {
    for (const element of value) checkTexts(element);
    return;
  }
  for (const name in value) {
    checkText(name);
    checkTexts(value[name]);
  }
}

function checkText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed()) {
    throw invalidContent("a string holds a NUL character or an unpaired surrogate");
  }
}
