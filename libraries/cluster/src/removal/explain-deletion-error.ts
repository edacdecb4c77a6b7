import { CloudError, type CloudErrorCode } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage } from "@keelson/azure";

/** Error codes for refused deletions that a customer can fix. The keys are Azure's error codes. */
const explained: Readonly<Record<string, CloudErrorCode>> = {
  CannotDeleteLoadBalancerWithPrivateLinkService: "CannotDeleteLoadBalancerWithPrivateLinkService",
  AuthorizationFailed: "Forbidden",
  InUseSubnetCannotBeDeleted: "InUseSubnetCannotBeDeleted",
  ScopeLocked: "ScopeLocked",
};

/**
 * Returns the error that the service sends to its client if Azure refused a deletion for a reason that the customer can fix.
 * Returns `error` itself for all other reasons.
 */
export function explainDeletionError(error: unknown): unknown {
  if (error instanceof CloudError) return error;
  const code = explained[azureErrorCode(error) ?? ""];
  if (!code) return error;
  return new CloudError(code, azureErrorMessage(error), {
    target: "features.ResourcesClient#DeleteByID",
    cause: error,
  });
}
