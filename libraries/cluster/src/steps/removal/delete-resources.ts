import { CloudError, type CloudErrorCode, resourceNameOf, sameResource } from "@keelson/arm";
import {
  apiVersionOf,
  azureErrorCode,
  azureErrorMessage,
  isNotFound,
  retryAdvice,
  statusOf,
} from "@keelson/azure";
import { isPlainObject } from "@keelson/base";
import { managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../../context.ts";
import { changeGroupOfSubnet } from "../network/attach-subnets.ts";
import { findResourceGroup, isOwned } from "../resource-group/resource-group.ts";
import { unlessGone } from "./unless-gone.ts";

/**
 * Levels in which the managed group is emptied, dependents first; unnamed types have level 0 (Azure/ARO-RP
 * pkg/cluster/delete.go). Public addresses follow the load balancers that hold them, which the original leaves to
 * chance.
 */
const levels: Readonly<Record<string, number>> = {
  "microsoft.compute/virtualmachines": -4,
  "microsoft.network/privateendpoints": -4,
  "microsoft.network/privatelinkservices": -3,
  "microsoft.compute/galleries/applications/versions": -2,
  "microsoft.compute/galleries/images/versions": -2,
  "microsoft.compute/galleries/applications": -1,
  "microsoft.compute/galleries/images": -1,
  "microsoft.compute/galleries/serviceartifacts": -1,
  "microsoft.network/networkinterfaces": -1,
  "microsoft.network/networksecuritygroups": 1,
  "microsoft.network/publicipaddresses": 1,
  "microsoft.network/privatednszones": 1,
  "microsoft.compute/galleries": 1,
};

interface FoundResource {
  readonly id: string;
  readonly type: string;
}

/** A step that deletes the resources of one level, all at once. */
export function deleteLevel(level: number): (context: ClusterContext) => Promise<void> {
  return async (context) => {
    if (!(await ownsGroup(context))) return;
    const found = await listResources(context);
    const wanted = found.filter(({ type }) => (levels[type] ?? 0) === level);
    const results = await Promise.allSettled(wanted.map((each) => deleteResource(context, each)));
    for (const result of results) if (result.status === "rejected") throw explainDeletionError(result.reason);
  };
}

/** Deletes the group with all that is left in it. */
export async function deleteResourceGroup(context: ClusterContext): Promise<void> {
  if (!(await ownsGroup(context))) return;
  const { cluster, azure, signal } = context;
  try {
    await unlessGone(() =>
      azure.resources.resourceGroups.delete(managedGroupOf(cluster), azure.call(signal)),
    );
  } catch (error) {
    throw explainDeletionError(error);
  }
}

/** Nothing is deleted in a group that is managed by another, whatever the document says. */
export async function ownsGroup(context: ClusterContext): Promise<boolean> {
  const group = await findResourceGroup(context);
  if (group && isOwned(context, group)) return true;
  context.logger.info({ found: group !== undefined }, "the managed resource group is not this cluster's");
  return false;
}

async function listResources({ cluster, azure, signal }: ClusterContext): Promise<readonly FoundResource[]> {
  const found: FoundResource[] = [];
  const group = managedGroupOf(cluster);
  try {
    for await (const { id, type } of azure.resources.resources.listByResourceGroup(
      group,
      azure.call(signal),
    )) {
      if (id && type) found.push({ id, type: type.toLowerCase() });
    }
  } catch (error) {
    if (statusOf(error) !== 403 && !isNotFound(error)) throw error;
  }
  return found.toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1));
}

async function deleteResource(context: ClusterContext, { id, type }: FoundResource): Promise<void> {
  const { logger } = context;
  const apiVersion = apiVersionOf(type);
  if (!apiVersion) {
    logger.warn({ resource: id }, "resource of an unknown type is left to its group");
    return;
  }
  if (type === "microsoft.network/networksecuritygroups") await detachFromSubnets(context, id);
  if (type === "microsoft.network/networkinterfaces") await repairNic(context, id);
  if (type === "microsoft.network/privatednszones") await deleteLinks(context, id, apiVersion);
  await deleteById(context, id, apiVersion);
}

async function deleteById({ azure, signal }: ClusterContext, id: string, apiVersion: string): Promise<void> {
  const path = id.replace(/^\//, "");
  await unlessGone(() => azure.resources.resources.deleteById(path, apiVersion, azure.call(signal)));
}

/** A private zone can be deleted only without its virtual network links. */
async function deleteLinks(context: ClusterContext, zoneId: string, apiVersion: string): Promise<void> {
  const { azure, signal } = context;
  const path = `${zoneId}/virtualNetworkLinks`;
  const listed = await unlessGone(() => azure.raw.get(path, { "api-version": apiVersion }, signal));
  const links = Array.isArray(listed?.value) ? listed.value : [];
  for (const link of links) {
    if (isPlainObject(link) && typeof link.id === "string") await deleteById(context, link.id, apiVersion);
  }
}

async function detachFromSubnets(context: ClusterContext, groupId: string): Promise<void> {
  const { cluster, azure, signal } = context;
  const group = await unlessGone(() =>
    azure.network.networkSecurityGroups.get(
      managedGroupOf(cluster),
      resourceNameOf(groupId),
      azure.call(signal),
    ),
  );
  for (const { id } of group?.subnets ?? []) {
    if (!id) continue;
    const without = (current: string | undefined) =>
      current !== undefined && sameResource(current, groupId) ? undefined : current;
    try {
      await unlessGone(() => changeGroupOfSubnet(context, id, without));
    } catch (error) {
      throw isSubnetRefusal(error) ? subnetError(id, error) : error;
    }
  }
}

/** A refusal in the customer's network is the customer's to repair. */
function isSubnetRefusal(error: unknown): boolean {
  return azureErrorCode(error) !== undefined && retryAdvice(error).kind === "terminal";
}

function subnetError(subnetId: string, cause: unknown): CloudError {
  const details = [{ code: azureErrorCode(cause) ?? "", message: azureErrorMessage(cause) }];
  return new CloudError("InvalidLinkedSubnet", `Failed to update subnet '${subnetId}'.`, { details, cause });
}

/** A network interface in a failed state must be written again before it can be deleted. */
async function repairNic({ cluster, azure, signal }: ClusterContext, nicId: string): Promise<void> {
  const group = managedGroupOf(cluster);
  const name = resourceNameOf(nicId);
  const nic = await unlessGone(() => azure.network.networkInterfaces.get(group, name, azure.call(signal)));
  if (nic?.provisioningState !== "Failed") return;
  await azure.network.networkInterfaces.createOrUpdate(group, name, nic, azure.call(signal));
}

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
