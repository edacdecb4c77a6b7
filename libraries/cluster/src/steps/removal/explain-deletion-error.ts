import { CloudError, type CloudErrorCode } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage } from "@keelson/azure";

/** Error codes for refused deletions that a customer can fix, by Azure's code. */
const explained: Readonly<Record<string, CloudErrorCode>> = {
  CannotDeleteLoadBalancerWithPrivateLinkService: "CannotDeleteLoadBalancerWithPrivateLinkService",
  AuthorizationFailed: "Forbidden",
  InUseSubnetCannotBeDeleted: "InUseSubnetCannotBeDeleted",
  ScopeLocked: "ScopeLocked",
};

/** Converts a refused deletion to the client's error. Returns `error` itself if it is not intended for clients. */
export function explainDeletionError(error: unknown): unknown {
  if (error instanceof CloudError) return error;
  const code = explained[azureErrorCode(error) ?? ""];
  if (!code) return error;
  return new CloudError(code, azureErrorMessage(error), {
    target: "features.ResourcesClient#DeleteByID",
    cause: error,
  });
}
