import { type Backoff, type Clock, CodedError, retry } from "@keelson/base";
import { aadstsCode, azureErrorCode, azureErrorMessage, statusOf } from "./azure-error.ts";

export type ArmRetryAdvice =
  | { readonly kind: "retry"; readonly afterMs?: number }
  | { readonly kind: "terminal" };

const terminal: ArmRetryAdvice = { kind: "terminal" };

/**
 * AADSTS codes of sign-ins with a new secret (7000215, 7000216) or application (700016). These errors stop when the identity
 * provider has replicated the secret or application.
 */
const propagation = new Set([700016, 7000215, 7000216]);

/** Error codes of operations that failed temporarily. They also occur in the details of failed deployments. */
const passing: ReadonlySet<string> = new Set([
  "AnotherOperationInProgress",
  "BadGateway",
  "CanceledAndSupersededDueToAnotherOperation",
  "GatewayTimeout",
  "InternalExecutionError",
  "InternalOperationError",
  "InternalServerError",
  "NetworkingInternalOperationError",
  "OperationPreempted",
  "OperationTimedOut",
  "ReferencedResourceNotProvisioned",
  "RetryableError",
  "RetryableErrorDueToAnotherOperation",
  "ServerBusy",
  "ServerTimeout",
  "ServiceUnavailable",
  "SubscriptionRequestsThrottled",
  "TooManyRequests",
]);

/** True if the code always means a temporary error. */
export function isPassingCode(code: string | undefined): boolean {
  return code !== undefined && passing.has(code);
}

const networkCodes = new Set([
  "REQUEST_SEND_ERROR",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EPIPE",
  "ESOCKETTIMEDOUT",
  "ETIMEDOUT",
]);

/** Returns the decision whether to retry after an error, with the delay if the service specified a delay. */
export function retryAdvice(error: unknown): ArmRetryAdvice {
  if (!(error instanceof Error) || error.name === "AbortError" || error.name === "TimeoutError")
    return terminal;
  const code = aadstsCode(error);
  if (code !== undefined) return propagation.has(code) ? { kind: "retry" } : terminal;
  if (error instanceof CodedError) return error.retry === "backoff" ? { kind: "retry" } : terminal;
  return isTransient(error) ? again(retryAfterMs(error)) : terminal;
}

/** Error codes for missing permissions in Azure Resource Manager and storage accounts. */
const missingRights: ReadonlySet<string> = new Set([
  "AuthorizationFailed",
  "AuthorizationPermissionMismatch",
  "LinkedAuthorizationFailed",
]);

/** True if the error may be caused by a new permission or secret that has not been replicated yet. */
export function isAuthorizationPropagation(error: unknown): boolean {
  const code = azureErrorCode(error);
  if (code !== undefined && missingRights.has(code)) return true;
  return propagation.has(aadstsCode(error) ?? 0);
}

/** Backoff of `armRetry`: 15, 30 and 60 seconds between the four attempts, with 10 % jitter. */
const armBackoff: Backoff = { attempts: 4, firstMs: 15_000, factor: 2, maxMs: 60_000, jitter: 0.1 };

/** Retries `action` according to `retryAdvice` and `policy`. A delay that the service specifies takes precedence. */
export function armRetry<T>(
  action: (attempt: number) => Promise<T>,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly policy?: Backoff },
): Promise<T> {
  return retry(action, {
    policy: options.policy ?? armBackoff,
    clock: options.clock,
    signal: options.signal,
    decide: (error) => {
      const advice = retryAdvice(error);
      return advice.kind === "retry" ? advice.afterMs : "stop";
    },
  });
}

function isTransient(error: Error): boolean {
  const code = azureErrorCode(error);
  if (isPassingCode(code)) return true;
  const status = statusOf(error);
  if (status === undefined) return code !== undefined && networkCodes.has(code);
  if (status === 408 || status === 429) return true;
  if (status === 409)
    return retryAfterMs(error) !== undefined || /retry later/i.test(azureErrorMessage(error));
  return status >= 500 && status !== 501 && status !== 505;
}

function again(afterMs: number | undefined): ArmRetryAdvice {
  return afterMs === undefined ? { kind: "retry" } : { kind: "retry", afterMs };
}

/**
 * Returns the `Retry-After` header in milliseconds. Supports only seconds, the format that ARM sends. Undefined if the header is
 * missing or has a different format.
 */
function retryAfterMs(error: Error): number | undefined {
  const seconds = responseHeader(error, "retry-after");
  return seconds !== undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function responseHeader(error: Error, name: string): string | undefined {
  if (!("response" in error) || typeof error.response !== "object" || error.response === null)
    return undefined;
  if (!("headers" in error.response)) return undefined;
  const { headers } = error.response;
  if (typeof headers !== "object" || headers === null || !("get" in headers)) return undefined;
  if (typeof headers.get !== "function") return undefined;
  const value: unknown = headers.get(name);
  return typeof value === "string" ? value : undefined;
}
