import { StatusError } from "@keelson/apiserver";
import { isCoded } from "@keelson/base";

/** Failure of the cluster version operator. The failure appears in the conditions of the ClusterVersion. */
export interface PayloadFailure {
  readonly reason: string;
  readonly message: string;
  /** Short message. It follows the prefix `Error while reconciling 4.19.1: `. */
  readonly summary: string;
}

interface Cause {
  readonly reason: string;
  readonly cause?: string;
  readonly summary: string;
}

const unknown: Cause = { reason: "UpdatePayloadFailed", summary: "the update could not be applied" };
const missingType: Cause = {
  reason: "UpdatePayloadResourceTypeMissing",
  cause: "the server does not recognize this resource, check extension API servers",
  summary: "a required extension is not available to update",
};
const notFound: Cause = {
  reason: "UpdatePayloadResourceNotFound",
  cause: "resource may have been deleted",
  summary: "some resources could not be updated",
};
const overloaded: Cause = {
  reason: "UpdatePayloadClusterOverloaded",
  cause: "the server is overloaded and is not accepting updates",
  summary: "the control plane is overloaded and is not accepting updates",
};
const down: Cause = {
  reason: "UpdatePayloadClusterDown",
  cause: "the server is down or not responding",
  summary: "the control plane is down or not responding",
};

/** Failure causes by the `reason` of the API server's error (openshift/cluster-version-operator pkg/payload/task.go). */
const causes: Readonly<Record<string, Cause>> = {
  NotFound: notFound,
  AlreadyExists: notFound,
  Conflict: {
    reason: "UpdatePayloadResourceConflict",
    cause: "someone else is updating this resource",
    summary: "some resources could not be updated",
  },
  Timeout: down,
  ServiceUnavailable: down,
  InternalError: {
    reason: "UpdatePayloadClusterError",
    cause: "the server is reporting an internal error",
    summary: "the control plane is reporting an internal error",
  },
  Invalid: {
    reason: "UpdatePayloadResourceInvalid",
    cause: "the object is invalid, possibly due to local cluster configuration",
    summary: "some cluster configuration is invalid",
  },
  Unauthorized: {
    reason: "UpdatePayloadClusterUnauthorized",
    cause: "could not authenticate to the server",
    summary: "could not authenticate to the server",
  },
  Forbidden: {
    reason: "UpdatePayloadResourceForbidden",
    cause: "the server has forbidden updates to this resource",
    summary: "the server is rejecting updates",
  },
  ServerTimeout: overloaded,
  TooManyRequests: overloaded,
};

/**
 * Returns the failure of one manifest. `task` contains the manifest and its position, for example `deployment "a/b" (5 of 20)`.
 */
export function manifestFailure(task: string, error: unknown): PayloadFailure {
  const { reason, cause, summary } = causeOf(error);
  return { reason, message: `Could not update ${task}${cause === undefined ? "" : `: ${cause}`}`, summary };
}

function causeOf(error: unknown): Cause {
  if (isCoded(error, "UnknownKind")) return missingType;
  return (error instanceof StatusError ? causes[error.reason] : undefined) ?? unknown;
}

/** Combines all failures into one. Undefined without failures. */
export function combineFailures(failures: readonly PayloadFailure[]): PayloadFailure | undefined {
  const messages = [...new Set(failures.map(({ message }) => message))].toSorted();
  if (messages.length <= 1) return failures[0];
  return {
    reason: "MultipleErrors",
    message: `Multiple errors are preventing progress:\n* ${messages.join("\n* ")}`,
    summary: "an unknown error has occurred: MultipleErrors",
  };
}
