import { CloudError } from "@keelson/arm";
import { type OpenShiftCluster, usesWorkloadIdentity } from "../cluster/open-shift-cluster.ts";
import { compareVersions, minorVersion, parseVersion } from "../cluster/openshift-version.ts";
import type { PlatformWorkloadIdentityRole } from "../documents/catalogue-documents.ts";
import type { RoleSetProperties } from "./role-set-request.ts";

/** Operators of an OpenShift minor version that need a separate managed identity. */
export interface PlatformWorkloadIdentityRoleSet {
  /** Minor version, for example `4.16`. */
  readonly openShiftVersion: string;
  readonly operatorNames: readonly string[];
}

/**
 * Checks the identities of a workload identity cluster. The cluster must have exactly the identities that its minor version and
 * the version in `upgradeableTo` require.
 * @throws CloudError PlatformWorkloadIdentityMismatch, or InvalidParameter for a version without role set
 */
export function assertIdentitiesMatch(
  cluster: OpenShiftCluster,
  roleSets: readonly PlatformWorkloadIdentityRoleSet[],
): void {
  if (!usesWorkloadIdentity(cluster)) return;
  assertSameOperators(
    cluster,
    roleSetsOf(cluster, roleSets).flatMap(({ operatorNames }) => operatorNames),
  );
}

/**
 * Returns the roles of each operator's identity for all minor versions that the cluster must support.
 * @throws CloudError like `assertIdentitiesMatch`, if role sets have changed since the last write of the cluster
 */
export function platformIdentityRoles(
  cluster: OpenShiftCluster,
  roleSets: readonly RoleSetProperties[],
): ReadonlyMap<string, readonly PlatformWorkloadIdentityRole[]> {
  const roles = roleSetsOf(cluster, roleSets).flatMap((each) => each.platformWorkloadIdentityRoles);
  const key = ({ operatorName, roleDefinitionId }: PlatformWorkloadIdentityRole) =>
    `${operatorName} ${roleDefinitionId}`.toLowerCase();
  const distinct = roles.filter(
    (role, index) => roles.findIndex((other) => key(other) === key(role)) === index,
  );
  assertSameOperators(
    cluster,
    distinct.map(({ operatorName }) => operatorName),
  );
  return Map.groupBy(distinct, ({ operatorName }) => operatorName);
}

function roleSetsOf<RoleSet extends { readonly openShiftVersion: string }>(
  cluster: OpenShiftCluster,
  roleSets: readonly RoleSet[],
): readonly RoleSet[] {
  return minorVersionsOf(cluster).map((minor) => {
    const roleSet = roleSets.find((each) => each.openShiftVersion === minor);
    if (roleSet) return roleSet;
    throw new CloudError(
      "InvalidParameter",
      `No PlatformWorkloadIdentityRoleSet found for the requested or upgradeable OpenShift minor version '${minor}'. Please retry with different OpenShift version, and if the issue persists, raise an Azure support ticket`,
    );
  });
}

function assertSameOperators(cluster: OpenShiftCluster, operatorNames: readonly string[]): void {
  const required = new Set(operatorNames);
  const minors = minorVersionsOf(cluster);
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
