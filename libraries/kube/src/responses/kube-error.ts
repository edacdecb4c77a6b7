import {
  boundedText,
  isPlainObject,
  numberAt,
  type RetryAdvice,
  stringAt,
  tryParseJson,
} from "@keelson/base";
import type { ResponseLimit } from "./response-limits.ts";

/** Object of a failure, if the server reports it. `kind` may be the plural of a resource. */
export interface KubeErrorSubject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * A request that failed. `code` is the HTTP status and `reason` that of Kubernetes, for example `NotFound` or `Conflict`. Failures
 * without a status have code 0: `Unreachable`, `Timeout`, and `TooLarge` with the exceeded `limit`.
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
    // A cool-down ends.
    this.retry = limit === "cpu" ? "backoff" : retryAdvice(code, reason);
    this.subject = subject;
    this.limit = limit;
  }
}

/** True for a missing object. */
export function isKubeNotFound(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 404;
}

/** True when the object changed since it was read, or exists already. */
export function isConflict(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 409;
}

/** True if creation failed because an object of that name exists. */
export function isAlreadyExists(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 409 && error.reason === "AlreadyExists";
}

/** True if a resourceVersion or continue token has expired. List again. */
export function isExpired(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code === 410;
}

/** Returns the error of a response: its `Status` object, or the beginning of a different body. */
export function errorOfAnswer(code: number, request: string, body: string): KubeError {
  const status = parseStatus(body);
  if (!status)
    return new KubeError(code, "Unknown", `${request} answered ${code}: ${boundedText(body, 200)}`);
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
      : `${request} answered ${statusCode}`;
  const { details } = status;
  if (!isPlainObject(details)) return new KubeError(statusCode, reason || "Unknown", message);
  const [group = "", kind = "", name = ""] = [details.group, details.kind, details.name].map((each) =>
    typeof each === "string" ? boundedText(each, maxName) : "",
  );
  return new KubeError(statusCode, reason || "Unknown", message, { subject: { group, kind, name } });
}

/** Validation errors may list each field of an object. */
const maxMessage = 4_096;
const maxName = 256;

function parseStatus(body: string): Readonly<Record<string, unknown>> | undefined {
  const value = tryParseJson(body);
  return isPlainObject(value) && value.kind === "Status" ? value : undefined;
}

/** Reasons of failures that a retry would not fix. */
const lasting = new Set(["InvalidKubeconfig", "InvalidServiceAccount", "TooLarge"]);

function retryAdvice(code: number, reason: string): RetryAdvice {
  if (lasting.has(reason)) return "never";
  if (code === 409 || code === 410) return "refresh";
  return code === 0 || code === 429 || code >= 500 ? "backoff" : "never";
}
