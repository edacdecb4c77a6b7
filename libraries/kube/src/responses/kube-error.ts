import {
  boundedText,
  isPlainObject,
  numberAt,
  type RetryAdvice,
  stringAt,
  tryParseJson,
} from "@keelson/base";
import type { ResponseLimit } from "./response-limits.ts";

/** Object of the failed request, if the server reports it. `kind` may be the plural of a resource. */
export interface KubeErrorSubject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Failed request. `code` is the HTTP status. `reason` is the Kubernetes reason, for example `NotFound` or `Conflict`. A failure
 * without an HTTP status has code 0. Its reason is `Unreachable`, `Timeout` or `TooLarge`. With `TooLarge`, `limit` is the
 * exceeded limit.
 */
export class KubeError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly retry: RetryAdvice;
  readonly subject: KubeErrorSubject | undefined;
  readonly limit: ResponseLimit | undefined;

  constructor(
    code: number,
    reason: string,
    message: string,
    {
      subject,
      limit,
      ...options
    }: ErrorOptions & { readonly subject?: KubeErrorSubject; readonly limit?: ResponseLimit } = {},
  ) {
    super(message, options);
    this.name = "KubeError";
    this.code = code;
    this.reason = reason;
    // A cluster that exceeded its CPU limit is readable again after the cool-down.
    this.retry = limit === "cpu" ? "backoff" : retryAdvice(code, reason);
    this.subject = subject;
    this.limit = limit;
  }
}

/** True for a missing object. */
export function isKubeNotFound(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 404;
}

/** True if the object was changed after it was read, or already exists. */
export function isConflict(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 409;
}

/** True if creation failed because an object with the same name exists. */
export function isAlreadyExists(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 409 && error.reason === "AlreadyExists";
}

/** True if a resourceVersion or continue token has expired. The caller must list again. */
export function isExpired(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 410;
}

/**
 * Returns the error of a response. The error's message comes from the `Status` object in the body. For any other body, the
 * message is the beginning of the body.
 */
export function errorOfResponse(code: number, request: string, body: string): KubeError {
  const status = parseStatus(body);
  if (!status)
    return new KubeError(code, "Unknown", `${request} returned status ${code}: ${boundedText(body, 200)}`);
  return errorOfStatus(status, code, request);
}

export function errorOfStatus(
  status: Readonly<Record<string, unknown>>,
  code: number,
  request: string,
): KubeError {
  const statusCode = numberAt(status, "code") ?? code;
  const reason = boundedText(stringAt(status, "reason") ?? "", maxName);
  const message =
    typeof status.message === "string"
      ? boundedText(status.message, maxMessage)
      : `${request} returned status ${statusCode}`;
  const { details } = status;
  if (!isPlainObject(details)) return new KubeError(statusCode, reason || "Unknown", message);
  const [group = "", kind = "", name = ""] = [details.group, details.kind, details.name].map((each) =>
    typeof each === "string" ? boundedText(each, maxName) : "",
  );
  return new KubeError(statusCode, reason || "Unknown", message, { subject: { group, kind, name } });
}

/** Maximum message length. A validation error may list every field of an object. */
const maxMessage = 4_096;
const maxName = 256;

function parseStatus(body: string): Readonly<Record<string, unknown>> | undefined {
  const value = tryParseJson(body);
  return isPlainObject(value) && value.kind === "Status" ? value : undefined;
}

/** Reasons of permanent failures, which a retry cannot fix. */
const lasting = new Set(["InvalidKubeconfig", "InvalidServiceAccount", "TooLarge"]);

function retryAdvice(code: number, reason: string): RetryAdvice {
  if (lasting.has(reason)) return "never";
  if (code === 409 || code === 410) return "refresh";
  return code === 0 || code === 429 || code >= 500 ? "backoff" : "never";
}
