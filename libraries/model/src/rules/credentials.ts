import { parseResourceId, type ResourceId, sameResource } from "@keelson/arm";
import { parseVersion } from "../cluster/openshift-version.ts";
import { isInSubscription } from "./resource-id-pattern.ts";
import { invalid, type Rule, rule, textRule } from "./rule.ts";

const servicePrincipal = "properties.servicePrincipalProfile";
const profile = "properties.platformWorkloadIdentityProfile";
const uuid =
  /^(urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}$|^[0-9a-f]{32}$/i;

/**
 * Requires a service principal in versions without managed identities. The error's `target` contains the property's path twice,
 * as in the reference service.
 */
export const servicePrincipalRequired: Rule = rule(servicePrincipal, function* ({ cluster }) {
  if (cluster.properties.servicePrincipalProfile) return;
  yield invalid(
    `${servicePrincipal}.servicePrincipalProfile`,
    "ServicePrincipalProfile cannot be nil in this API version.",
  );
});

export const servicePrincipalRules: readonly Rule[] = [
  textRule(`${servicePrincipal}.clientId`, (id, target) =>
    uuid.test(id) ? undefined : invalid(target, `The provided client ID '${id}' is invalid.`),
  ),
  textRule(`${servicePrincipal}.clientSecret`, (secret, target) =>
    secret !== "" ? undefined : invalid(target, "The provided client secret is invalid."),
  ),
];

/** Rules for clusters with managed identities. A cluster has either a service principal or managed identities, but not both. */
export const identityRules: readonly Rule[] = [
  rule(profile, function* ({ cluster }) {
    const { servicePrincipalProfile: sp, platformWorkloadIdentityProfile: identities } = cluster.properties;
    if (!identities && !sp) {
      yield invalid(servicePrincipal, "Must provide either an identity or service principal credentials.");
    }
    if (identities && sp && (sp.clientId || sp.clientSecret)) {
      yield invalid(
        servicePrincipal,
        "Cannot use identities and service principal credentials at the same time.",
      );
    }
  }),
  rule(profile, function* ({ cluster }) {
    const { identity, properties } = cluster;
    if ((identity === undefined) !== (properties.platformWorkloadIdentityProfile === undefined)) {
      yield invalid("identity", "Cluster identity and platform workload identities require each other.");
    }
    if (identity && Object.keys(identity.userAssignedIdentities ?? {}).length !== 1) {
      yield invalid("identity", "The provided cluster identity is invalid; there should be exactly one.");
    }
  }),
  rule(profile, function* ({ cluster }) {
    const identities = cluster.properties.platformWorkloadIdentityProfile;
    if (!identities || Object.keys(identities.platformWorkloadIdentities ?? {}).length > 0) return;
    yield invalid(
      `${profile}.platformWorkloadIdentities`,
      "The set of platform workload identities cannot be empty.",
    );
  }),
];

/**
 * Rules for each managed identity. The targets contain names in PascalCase, for example `PlatformWorkloadIdentities`, as in the
 * reference service.
 */
export const platformIdentityRules: readonly Rule[] = [
  rule(profile, function* ({ cluster }) {
    const seen = new Set<string>();
    const identities = cluster.properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities ?? {};
    for (const [operator, { resourceId = "" }] of Object.entries(identities)) {
      const key = resourceId.toLowerCase();
      const target = `${profile}.PlatformWorkloadIdentities[${operator}].resourceID`;
      const resource = parseResourceId(resourceId);
      if (seen.has(key)) {
        yield invalid(
          `${profile}.PlatformWorkloadIdentities`,
          `ResourceID ${key} used by multiple identities.`,
        );
      } else if (!resource) {
        yield invalid(target, `ResourceID ${resourceId} formatted incorrectly.`);
      } else if (operator === "") {
        yield invalid(target, "Operator name is empty.");
      } else if (!isUserAssigned(resource)) {
        yield invalid(target, "Resource must be a user assigned identity.");
      }
      seen.add(key);
    }
  }),
  rule(`${profile}.upgradeableTo`, function* ({ cluster }) {
    const version = cluster.properties.platformWorkloadIdentityProfile?.upgradeableTo;
    if (version === undefined || parseVersion(version)) return;
    yield invalid(
      `${profile}.UpgradeableTo[${version}]`,
      "UpgradeableTo must be a valid OpenShift version in the format 'x.y.z'.",
    );
  }),
];

/**
 * Requires that new identities are in the cluster's subscription. Identities that the cluster already has are always accepted. A
 * cluster with an identity in a different subscription therefore still accepts updates. The reference service checks the
 * subscription in its backend.
 */
export const clusterIdentityRule: Rule = rule("identity.userAssignedIdentities", function* (examined) {
  const { cluster, subscriptionId, storedIdentityIds } = examined;
  for (const id of Object.keys(cluster.identity?.userAssignedIdentities ?? {})) {
    const subject = `The provided cluster identity '${id}' is invalid`;
    const resource = parseResourceId(id);
    if (!resource || !isUserAssigned(resource)) {
      yield invalid("identity", `${subject}: must be the resource ID of a user-assigned identity.`);
    } else if (
      !isInSubscription(id, subscriptionId) &&
      !storedIdentityIds.some((stored) => sameResource(stored, id))
    ) {
      yield invalid("identity", `${subject}: must be in same subscription as cluster.`);
    }
  }
});

function isUserAssigned({ path }: ResourceId): boolean {
  return path.at(-1)?.[0].toLowerCase() === "userassignedidentities";
}
