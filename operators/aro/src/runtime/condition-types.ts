/** Conditions of the Cluster that checks set (sheet: ARO-RP pkg/operator/apis, cluster_types.go), and Keelson's own. */
export const checkConditions = [
  "InternetReachableFromMaster",
  "InternetReachableFromWorker",
  "MachineValid",
  "ServicePrincipalValid",
  "DefaultIngressCertificate",
  "DefaultClusterDNS",
  "ManagedUpgradeOperatorStatus",
  "GuardRailsStatus",
  "RebootPending",
  "WorkloadIdentityValid",
  "PlatformWorkloadsReady",
  "UserActionRequired",
] as const;
export type CheckCondition = (typeof checkConditions)[number];

/** `{Name}ControllerAvailable` and its like: those of every controller. */
export const controllerSuffixes = [
  "ControllerAvailable",
  "ControllerProgressing",
  "ControllerDegraded",
] as const;

/** Others are left over from earlier versions: the status writer removes them. */
export function isKnownCondition(type: string): boolean {
  return (
    (checkConditions as readonly string[]).includes(type) ||
    controllerSuffixes.some((suffix) => type.endsWith(suffix))
  );
}
