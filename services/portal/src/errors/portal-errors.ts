import { type CodedError, defineErrors, isCoded, messageOf } from "@keelson/base";
import { KubeError } from "@keelson/kube";

/** Errors of the portal for browser requests. */
export const portalErrors = defineErrors({
  BadRequest: { retry: "never" },
  Unauthenticated: { retry: "refresh" },
  Forbidden: { retry: "never" },
  NotFound: { retry: "never" },
  MethodNotAllowed: { retry: "never" },
  Conflict: { retry: "refresh" },
  RequestTooLarge: { retry: "never" },
  UnsupportedMediaType: { retry: "never" },
  TooManyRequests: { retry: "backoff" },
  /** The cluster refused the request or failed to process it. */
  ClusterFailed: { retry: "backoff" },
  /** The cluster's response does not match the API that was called. */
  ClusterResponseInvalid: { retry: "backoff" },
  /** The cluster's response exceeds a limit on size or CPU time. */
  ClusterResponseTooLarge: { retry: "backoff" },
  ClusterTimedOut: { retry: "backoff" },
  /** The cluster responds, but the ARO operator has not granted permissions to the SREs' user yet. */
  AccessNotReady: { retry: "backoff" },
  NotConfigured: { retry: "never" },
  /** The admin API did not respond. */
  AdminApiFailed: { retry: "backoff" },
  /** Entra ID or Microsoft Graph failed. */
  SignInFailed: { retry: "backoff" },
});

const statuses: Readonly<Record<keyof typeof portalErrors, number>> = {
  BadRequest: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  RequestTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  ClusterFailed: 502,
  ClusterResponseInvalid: 502,
  ClusterResponseTooLarge: 502,
  ClusterTimedOut: 504,
  AccessNotReady: 503,
  NotConfigured: 503,
  AdminApiFailed: 502,
  SignInFailed: 502,
};

/**
 * Returns the status, code and message for the client. An error of a different package becomes an Internal Server Error without
 * details.
 */
export function failureOf(error: unknown): {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
} {
  if (!isOwn(error)) return { status: 500, ...internal };
  const { code, message } = error;
  return {
    status: statuses[code],
    code,
    message,
    ...(code === "AccessNotReady" ? { retryAfterSeconds: accessAfterSeconds } : {}),
  };
}

/**
 * Value of `Retry-After` in seconds. It is short, because the ARO operator grants all permissions within seconds after its start.
 */
const accessAfterSeconds = 10;

type Code = keyof typeof portalErrors;

function isOwn(error: unknown): error is CodedError<Code> {
  return isCoded(error) && Object.hasOwn(statuses, error.code);
}

const internal = { code: "InternalServerError", message: "Internal Server Error" };

/**
 * Converts the error of a log read to the portal's error. Examples are errors for an unknown container, or for a container that
 * has not started.
 */
export function logFailure(error: unknown): unknown {
  if (!(error instanceof KubeError)) return error;
  if (error.code === 404) return portalErrors.NotFound("The cluster has no such pod.", { cause: error });
  if (error.code === 400) return portalErrors.Conflict(`There is no log: ${error.message}`, { cause: error });
  return error;
}

/**
 * Converts the error of a cluster read to the portal's error. Examples are errors for a timeout, an unreachable cluster, or a
 * refusal.
 */
export function clusterFailure(error: unknown): CodedError {
  if (isOwn(error)) return error;
  if (error instanceof KubeError && error.reason === "TooLarge") {
    return portalErrors.ClusterResponseTooLarge(`The cluster's response exceeds a limit: ${error.message}.`, {
      cause: error,
    });
  }
  const isLate =
    (error instanceof KubeError && error.reason === "Timeout") ||
    (error instanceof Error && error.name === "TimeoutError");
  if (isLate) return portalErrors.ClusterTimedOut("The cluster did not respond in time.", { cause: error });
  if (error instanceof KubeError && error.code === 403) {
    return portalErrors.AccessNotReady(
      "The cluster does not let SREs read this yet: its operator grants them their rights once it runs. Where it does not, " +
        "see the condition RBACControllerDegraded of its Cluster resource, and the flag aro.rbac.enabled.",
      { cause: error },
    );
  }
  return portalErrors.ClusterFailed(`The cluster could not be read: ${messageOf(error)}`, { cause: error });
}
