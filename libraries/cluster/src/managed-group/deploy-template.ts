import { CloudError } from "@keelson/arm";
import {
  azureErrorCode,
  azureErrorMessage,
  isAuthorizationPropagation,
  isPassingCode,
  statusOf,
} from "@keelson/azure";
import { isPlainObject } from "@keelson/base";
import { managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import type { TemplateResource } from "./template-resource.ts";

/**
 * Name of the deployment with the resources of the managed resource group. Azure keeps the deployment history under this name.
 */
export const managedGroupDeployment = "storage";

const schema = "https://schema.management.azure.com/schemas/2015-01-01/deploymentTemplate.json#";

const pauseMs = 1_000;

/**
 * Deploys resources to the managed resource group without removing existing resources. If a deployment with the same `name` is
 * active, waits until it has ended.
 * @throws CloudError DeploymentFailed with the error of the Azure service as JSON in `details`
 */
export async function deployTemplate(
  context: ClusterContext,
  name: string,
  resources: readonly TemplateResource[],
): Promise<void> {
  const { cluster, azure, signal, clock } = context;
  const group = managedGroupOf(cluster);
  const { deployments } = azure;
  const template = { $schema: schema, contentVersion: "1.0.0.0", resources };
  for (;;) {
    try {
      const properties = { mode: "Incremental", template } as const;
      const call = azure.call(signal);
      await deployments.createOrUpdate(group, name, { properties }, call).pollUntilDone(call);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (azureErrorCode(error) !== "DeploymentActive") throw await deploymentError(context, name, error);
      await clock.sleep(pauseMs, signal);
    }
  }
}

interface ServiceError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly ServiceError[];
}

/**
 * Converts the error of a deployment to the error that the client receives. This error contains the error of the Azure service
 * that rejected a resource. If a permission may still propagate, returns an authorization error instead. If no Azure service
 * explains the failure, returns `error` unchanged. If all failures are temporary, the `cause` of the returned error is retryable.
 */
async function deploymentError(context: ClusterContext, name: string, error: unknown): Promise<unknown> {
  if (isAuthorizationPropagation(error)) return error;
  const service = await serviceError(context, name, error);
  if (!service) return error;
  const leaves = leavesOf(service);
  const unauthorized = leaves.find(isUnauthorized);
  if (unauthorized) return asAzureError(unauthorized, "AuthorizationFailed", error);
  const passing = leaves.every(({ code }) => isPassingCode(code) || code === unexplained);
  return new CloudError("DeploymentFailed", "Deployment failed.", {
    details: [{ code: service.code ?? "DeploymentFailed", message: JSON.stringify(service) }],
    cause: passing ? asAzureError(leaves[0] ?? service, "RetryableError", error) : error,
  });
}

/** Azure's code for a resource that failed after Azure had accepted the request. The cause is usually a problem in Azure. */
const unexplained = "ResourceDeploymentFailure";

/**
 * Returns the Azure service's error from the response to the failed request, or from the deployment's history. Undefined if
 * neither contains such an error.
 */
async function serviceError(
  { cluster, azure, signal }: ClusterContext,
  name: string,
  error: unknown,
): Promise<ServiceError | undefined> {
  const status = statusOf(error);
  if (status !== undefined) return isRefusal(status) ? requestError(error) : undefined;
  if (azureErrorCode(error) !== "DeploymentFailed") return undefined;
  const { deployments } = azure;
  const { properties } = await deployments.get(managedGroupOf(cluster), name, azure.call(signal));
  return properties?.error;
}

/** True if Azure refused the request because of its content. Server errors, timeouts and throttling are not refusals. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function requestError(error: unknown): ServiceError {
  const body = error instanceof Error && "details" in error ? error.details : undefined;
  const inner = isPlainObject(body) && isPlainObject(body.error) ? body.error : body;
  if (isPlainObject(inner) && typeof inner.code === "string") return inner;
  const code = azureErrorCode(error);
  return { ...(code === undefined ? {} : { code }), message: azureErrorMessage(error) };
}

function leavesOf(error: ServiceError): readonly ServiceError[] {
  const details = error.details ?? [];
  return details.length === 0 ? [error] : details.flatMap(leavesOf);
}

function isUnauthorized({ code, message = "" }: ServiceError): boolean {
  if (code === "AuthorizationFailed" || code === "LinkedAuthorizationFailed") return true;
  return (
    code === "InvalidTemplateDeployment" && message.includes("Authorization failed for template resource")
  );
}

function asAzureError({ message = "" }: ServiceError, code: string, cause: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
