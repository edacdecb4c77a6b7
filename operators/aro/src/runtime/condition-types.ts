/** Conditions of the Cluster that checks set (sheet: ARO-RP pkg/operator/apis, cluster_types.go), and Keelson's own. */
const checkConditions = [
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

/** `{Name}ControllerAvailable` and its like: those of every controller. */
const controllerSuffixes = ["ControllerAvailable", "ControllerProgressing", "ControllerDegraded"] as const;

/** Others are left over from earlier versions: the status writer removes them. */
export function isKnownCondition(type: string): boolean {
  return (
    (checkConditions as readonly string[]).includes(type) ||
    controllerSuffixes.some((suffix) => type.endsWith(suffix))
  );
}
