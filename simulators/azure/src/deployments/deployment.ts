import type { JsonObject, JsonValue } from "@keelson/base";

type DeploymentState = "Accepted" | "Running" | "Succeeded" | "Failed" | "Canceled";

/** Step of a deployment: the write of one resource. */
export interface DeploymentOperation {
  readonly id: string;
  readonly state: DeploymentState;
  readonly timestamp: string;
  readonly durationMs: number;
  readonly statusCode: string;
  readonly target: { readonly id: string; readonly resourceType: string; readonly resourceName: string };
  readonly error?: JsonObject;
}

/** Deployment in the history: `Running` -> `Succeeded` | `Failed` | `Canceled`. */
export interface Deployment {
  readonly id: string;
  readonly name: string;
  /** Location. Set only for deployments at subscription scope. */
  readonly location?: string;
  readonly tags?: JsonObject;
  /** Unique ID of this run. A deployment name can be used for several runs. */
  readonly runId: string;
  readonly correlationId: string;
  readonly mode: "Incremental" | "Complete";
  readonly templateHash: string;
  readonly state: DeploymentState;
  readonly startedAt: string;
  readonly timestamp: string;
  /** Parameter values without secrets. */
  readonly parameters: JsonObject;
  readonly outputs?: JsonObject;
  readonly outputResources?: readonly string[];
  readonly providers: readonly JsonObject[];
  readonly dependencies: readonly JsonObject[];
  readonly error?: JsonValue;
  readonly operations: readonly DeploymentOperation[];
}

export function isOver({ state }: Deployment): boolean {
  return state === "Succeeded" || state === "Failed" || state === "Canceled";
}

export function renderDeployment(deployment: Deployment): JsonObject {
  const { id, name, location, tags, outputs, outputResources, error } = deployment;
  return {
    id,
    name,
    type: "Microsoft.Resources/deployments",
    ...(location ? { location } : {}),
    ...(tags ? { tags } : {}),
    properties: {
      templateHash: deployment.templateHash,
      parameters: deployment.parameters,
      mode: deployment.mode,
      provisioningState: deployment.state,
      timestamp: deployment.timestamp,
      duration: isoDuration(Date.parse(deployment.timestamp) - Date.parse(deployment.startedAt)),
      correlationId: deployment.correlationId,
      providers: deployment.providers,
      dependencies: deployment.dependencies,
      ...(outputs ? { outputs } : {}),
      ...(outputResources ? { outputResources: outputResources.map((each) => ({ id: each })) } : {}),
      ...(error ? { error } : {}),
    },
  };
}

export function renderOperation(deployment: Deployment, operation: DeploymentOperation): JsonObject {
  const { id, state, timestamp, durationMs, statusCode, target, error } = operation;
  return {
    id: `${deployment.id}/operations/${id}`,
    operationId: id,
    properties: {
      provisioningOperation: "Create",
      provisioningState: state,
      timestamp,
      duration: isoDuration(durationMs),
      trackingId: deployment.correlationId,
      ...(statusCode === "" ? {} : { statusCode }),
      ...(error ? { statusMessage: { status: "Failed", error } } : {}),
      targetResource: { ...target },
    },
  };
}

/** Formats a duration such as `PT1.5S` (subset of ISO 8601). */
function isoDuration(ms: number): string {
  return `PT${Math.max(0, ms) / 1_000}S`;
}
