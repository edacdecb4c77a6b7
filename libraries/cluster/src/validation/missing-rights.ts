import type { CloudErrorCode } from "@keelson/arm";
import { type AzureClients, assignedPermissions, missingAction } from "@keelson/azure";
import { type OpenShiftCluster, parseSubnetId, subnetsOf } from "@keelson/model";
import { type LinkedKindName, linkedKinds } from "./linked-kinds.ts";
import { attachmentsOf } from "./linked-network.ts";
import { denied, type Subject } from "./subject.ts";

/** Principal that needs permissions for a new cluster, with its object ID. */
export interface Suspect {
  readonly subject: Subject;
  readonly principalId: string;
}

/** Missing permission in a form that customers can read. */
export interface MissingRight {
  readonly code: CloudErrorCode;
  readonly message: string;
}

/**
 * Returns network permissions that are definitely missing for a new cluster. A denied permission is definitely missing only if no
 * role assignment grants it. If a role assignment grants it, Azure may not have propagated the assignment yet. The later
 * validation in the backend then decides.
 */
export async function findMissingRights(
  cluster: OpenShiftCluster,
  suspects: readonly Suspect[],
  service: AzureClients,
  signal: AbortSignal,
): Promise<readonly MissingRight[]> {
  const objects = await linkedObjects(cluster, service, signal);
  const found = await Promise.all(
    suspects.flatMap((suspect) =>
      objects.map(({ kind, id }) => missingRight(suspect, kind, id, service, signal).catch(() => undefined)),
    ),
  );
  return found.filter((each) => each !== undefined);
}

async function missingRight(
  { subject, principalId }: Suspect,
  kind: LinkedKindName,
  id: string,
  service: AzureClients,
  signal: AbortSignal,
): Promise<MissingRight | undefined> {
  const actions = linkedKinds[kind].actions[subject.role];
  const denial = await subject.findDenial(id, actions, signal);
  if (!denial) return undefined;
  const assigned = await assignedPermissions(service, id, principalId, signal);
  if (missingAction(assigned, actions) === undefined) return undefined;
  return { code: denial.code, message: denied(denial, kind, id, {}).message };
}

interface LinkedObject {
  readonly kind: LinkedKindName;
  readonly id: string;
}

/** Returns the distinct networks, subnets and attached resources in validation order. */
async function linkedObjects(
  cluster: OpenShiftCluster,
  service: AzureClients,
  signal: AbortSignal,
): Promise<readonly LinkedObject[]> {
  const subnets = subnetsOf(cluster).map(({ id }) => ({ id, ...parseSubnetId(id) }));
  const found = await Promise.all(
    subnets.map(({ resourceGroup, virtualNetwork, name }) =>
      service.network.subnets
        .get(resourceGroup, virtualNetwork, name, service.call(signal))
        .catch(() => undefined),
    ),
  );
  const all: readonly LinkedObject[] = [
    ...subnets.map(({ virtualNetworkId }) => ({ kind: "vnet" as const, id: virtualNetworkId })),
    ...subnets.map(({ id }) => ({ kind: "subnet" as const, id })),
    ...attachmentsOf(found.filter((subnet) => subnet !== undefined)),
  ];
  return [...new Map(all.map((each) => [each.id.toLowerCase(), each])).values()];
}
