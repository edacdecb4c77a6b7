import { CloudError, type CloudErrorCode } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage } from "@keelson/azure";

/** Refusals that a customer can repair, by Azure's code. */
const explained: Readonly<Record<string, CloudErrorCode>> = {
  CannotDeleteLoadBalancerWithPrivateLinkService: "CannotDeleteLoadBalancerWithPrivateLinkService",
  AuthorizationFailed: "Forbidden",
  InUseSubnetCannotBeDeleted: "InUseSubnetCannotBeDeleted",
  ScopeLocked: "ScopeLocked",
};

/** The client's error for a refused deletion; `error` itself when it is not for clients. */
export function explainDeletionError(error: unknown): unknown {
  if (error instanceof CloudError) return error;
  const code = explained[azureErrorCode(error) ?? ""];
  if (!code) return error;
  return new CloudError(code, azureErrorMessage(error), {
    target: "features.ResourcesClient#DeleteByID",
    cause: error,
  });
}
