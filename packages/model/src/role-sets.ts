import { CloudError } from "@keelson/arm";
import { type OpenShiftCluster, usesWorkloadIdentity } from "./open-shift-cluster.ts";
import { compareVersions, minorVersion, parseVersion } from "./openshift-version.ts";

/** Which operators of an OpenShift minor version need an identity of their own. */
export interface PlatformWorkloadIdentityRoleSet {
  /** For example `4.16`. */
  readonly openShiftVersion: string;
  readonly operatorNames: readonly string[];
}

/**
 * A workload identity cluster brings exactly the identities that its minor version needs, and those of the
 * newer one to which it says it can be upgraded.
 *
 * @throws CloudError PlatformWorkloadIdentityMismatch, or InvalidParameter for a version without role set.
 */
export function assertIdentitiesMatch(
  cluster: OpenShiftCluster,
  roleSets: readonly PlatformWorkloadIdentityRoleSet[],
): void {
  if (!usesWorkloadIdentity(cluster)) return;
  const minors = minorVersionsOf(cluster);
  const required = new Set<string>();
  for (const minor of minors) {
    const roleSet = roleSets.find((each) => each.openShiftVersion === minor);
    if (!roleSet) {
      throw new CloudError(
        "InvalidParameter",
        `No PlatformWorkloadIdentityRoleSet found for the requested or upgradeable OpenShift minor version '${minor}'. Please retry with different OpenShift version, and if the issue persists, raise an Azure support ticket`,
      );
    }
    for (const operator of roleSet.operatorNames) required.add(operator);
  }
  const given = new Set(
    Object.keys(cluster.properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities ?? {}),
  );
  if (required.symmetricDifference(given).size === 0) return;
  throw new CloudError(
    "PlatformWorkloadIdentityMismatch",
    `There's a mismatch between the required and expected set of platform workload identities for the requested OpenShift minor version '${minors.join(" or ")}'. The required platform workload identities are '[${[...required].sort().join(" ")}]'`,
    { target: "properties.PlatformWorkloadIdentityProfile.PlatformWorkloadIdentities" },
  );
}

function minorVersionsOf({ properties }: OpenShiftCluster): readonly string[] {
  const current = parseVersion(properties.clusterProfile.version);
  const minor = current ? minorVersion(current) : properties.clusterProfile.version;
  const upgrade = parseVersion(properties.platformWorkloadIdentityProfile?.upgradeableTo ?? "");
  const newer = current && upgrade && compareVersions(current, upgrade) < 0;
  return newer && minorVersion(upgrade) !== minor ? [minor, minorVersion(upgrade)] : [minor];
}
