import type { ClusterDetail, OperationView } from "@keelson/portal-api";

/** Failure of a cluster, with its remedy. */
export interface Failure {
  readonly title: string;
  /** Error message of the failed operation. Empty if the message is unknown. */
  readonly cause: string;
  /** Name of the operation's failed step. */
  readonly step?: string;
  readonly remedies: readonly string[];
}

/** Remedies by the error code of an operation. */
const remedies: Readonly<Record<string, string>> = {
  InvalidServicePrincipalCredentials:
    "The customer renews the client secret: az aro update --refresh-credentials.",
  InvalidServicePrincipalClaims:
    "The customer sets the service principal of the tenant of the subscription: az aro update --client-id --client-secret.",
  InvalidServicePrincipalPermissions:
    "The customer grants the service principal the role Network Contributor on the virtual network.",
  InvalidResourceProviderPermissions:
    "The customer grants the resource provider the role Network Contributor on the virtual network.",
  InvalidWorkloadIdentityPermissions:
    "The customer restores the role assignments of the platform identities that the message names.",
  RequestDisallowedByPolicy:
    "The customer exempts the managed resource group from the Azure Policy that the message names.",
  DeploymentFailed:
    "See the message for the refused resource: quota, policy and capacity of the region are the usual causes.",
  ThrottlingLimitExceeded: "Azure limits the requests of the subscription. Wait an hour.",
};

/** Returns the failure of a cluster. Undefined if the cluster has not failed. */
export function failureOf(
  { provisioningState, failedProvisioningState, creationResumable }: FailedCluster,
  operations: readonly OperationView[] | undefined,
): Failure | undefined {
  if (provisioningState !== "Failed") return undefined;
  const operation = operations?.find(
    ({ state, kind }) => state === "Failed" && kind === failedProvisioningState,
  );
  const { code = "", message = "" } = operation?.error ?? {};
  const step = operation?.steps.findLast(({ outcome }) => outcome === "failed")?.name;
  const remedy = remedies[code];
  return {
    title: `${titles[failedProvisioningState] ?? "The last operation"} failed`,
    cause: code === "" ? "" : `${code}: ${message}`,
    ...(step === undefined ? {} : { step }),
    remedies: [
      ...(remedy === undefined ? [] : [remedy]),
      ...nextStep(failedProvisioningState, creationResumable === true),
    ],
  };
}

type FailedCluster = Pick<ClusterDetail, "provisioningState" | "failedProvisioningState"> &
  Partial<Pick<ClusterDetail, "creationResumable">>;

const titles: Readonly<Record<string, string>> = {
  Creating: "The creation",
  Updating: "The update",
  AdminUpdating: "The administrative update",
  Deleting: "The deletion",
};

function nextStep(failed: string, isResumable: boolean): readonly string[] {
  switch (failed) {
    case "Creating":
      return isResumable
        ? ["Remove the cause. The same PUT request resumes the creation."]
        : ["Remove the cause. Then the customer deletes the cluster and creates it again."];
    case "Updating":
      return ["Remove the cause. Then a PATCH request with the body {} repeats the update."];
    case "AdminUpdating":
      return ["Remove the cause. Then start the administrative update again."];
    case "Deleting":
      return ["Remove the cause. Then delete the cluster again."];
    default:
      return [];
  }
}
