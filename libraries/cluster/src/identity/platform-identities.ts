import { CloudError, parseResourceId } from "@keelson/arm";
import { statusOf } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import {
  type OpenShiftCluster,
  type PlatformWorkloadIdentity,
  type PlatformWorkloadIdentityRole,
  platformIdentityRoles,
  withProperties,
} from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { azureAsClusterIdentity } from "./cluster-identity.ts";

/** Managed identity with the parts of its resource ID. */
export interface PlacedIdentity extends PlatformWorkloadIdentity {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
}

/** Identity of one operator. */
export interface OperatorIdentity extends PlacedIdentity {
  readonly operatorName: string;
}

/** Operator identity with its roles. */
export interface OperatorIdentityWithRoles extends OperatorIdentity {
  /** Roles of the identity. The list has at least one element. */
  readonly roles: readonly PlatformWorkloadIdentityRole[];
}

/**
 * Reads the operators' identities with the credentials of the cluster's identity, and stores their IDs.
 * @throws CloudError InvalidPlatformWorkloadIdentity if an identity does not exist, cannot be read, or is in a different
 * subscription than the cluster
 */
export async function platformWorkloadIdentityIDs(context: ClusterContext): Promise<void> {
  const found = await Promise.all(operatorIdentities(context.cluster).map((each) => identify(context, each)));
  await context.update((cluster) => {
    const profile = cluster.properties.platformWorkloadIdentityProfile;
    const identities = { ...profile?.platformWorkloadIdentities };
    for (const { operatorName, resourceId, clientId, objectId } of found) {
      identities[operatorName] = { ...identities[operatorName], resourceId, clientId, objectId };
    }
    return withProperties(cluster, {
      platformWorkloadIdentityProfile: { ...profile, platformWorkloadIdentities: identities },
    });
  });
}

export function operatorIdentities({ properties }: OpenShiftCluster): readonly OperatorIdentity[] {
  const identities = properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities ?? {};
  return Object.entries(identities).map(([operatorName, identity]) => ({
    ...placed(identity),
    operatorName,
  }));
}

/** Returns the identities that operators used before an update replaced them. */
export function retiredIdentities({ properties }: OpenShiftCluster): readonly PlacedIdentity[] {
  return (properties.retiredIdentities ?? []).map(placed);
}

function placed(identity: PlatformWorkloadIdentity): PlacedIdentity {
  const id = parseResourceId(identity.resourceId);
  const name = id?.path.at(-1)?.[1];
  if (!id || !name) throw new Error(`${identity.resourceId} is not the ID of an identity`);
  return { ...identity, subscriptionId: id.subscriptionId, resourceGroup: id.resourceGroup, name };
}

export async function operatorIdentitiesWithRoles(
  context: ClusterContext,
): Promise<readonly OperatorIdentityWithRoles[]> {
  const roles = platformIdentityRoles(context.cluster, await context.roleSets());
  return operatorIdentities(context.cluster).map((identity) => ({
    ...identity,
    roles: roles.get(identity.operatorName) ?? [],
  }));
}

/** Returns a stored ID of an identity. An earlier step must have stored this ID. */
export function idOf(identity: OperatorIdentity, member: "clientId" | "objectId"): string {
  const id = identity[member];
  if (!id) throw new Error(`the ${member} of the identity of ${identity.operatorName} is not known yet`);
  return id;
}

async function identify(context: ClusterContext, identity: OperatorIdentity) {
  const azure = azureAsClusterIdentity(context);
  const { operatorName, resourceId, subscriptionId, resourceGroup, name } = identity;
  if (subscriptionId.toLowerCase() !== context.subscription.id.toLowerCase()) {
    const message = `The platform workload identity '${resourceId}' is invalid: must be in same subscription as cluster.`;
    throw invalidIdentity(operatorName, message);
  }
  try {
    const found = await azure.identities.userAssignedIdentities.get(
      resourceGroup,
      name,
      azure.call(context.signal),
    );
    return { operatorName, resourceId, clientId: found.clientId ?? "", objectId: found.principalId ?? "" };
  } catch (cause) {
    if (![401, 403, 404].includes(statusOf(cause) ?? 0)) throw cause;
    throw invalidIdentity(operatorName, messageOf(cause), cause);
  }
}

function invalidIdentity(operatorName: string, message: string, cause?: unknown): CloudError {
  return new CloudError("InvalidPlatformWorkloadIdentity", message, {
    target: `.properties.platformWorkloadIdentityProfile.platformWorkloadIdentities["${operatorName}"]`,
    ...(cause === undefined ? {} : { cause }),
  });
}
