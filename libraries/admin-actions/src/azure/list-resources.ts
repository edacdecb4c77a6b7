import { parseResourceId, resourceGroupNameOf, sameResource } from "@keelson/arm";
import { apiVersionOf, azureErrorMessage } from "@keelson/azure";
import { isPlainObject, type JsonObject, listAt, stringAt } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import type { ActionContext } from "../context/action-context.ts";
import { managedGroupOf } from "./managed-group.ts";

const machineType = "microsoft.compute/virtualmachines";

/**
 * Lists the Azure resources of the cluster. These are its virtual network, route tables, customer network security groups, disk
 * encryption set, and all resources of its managed resource group. Virtual machines include their instance view. Resources of
 * unknown types are skipped. An unreadable resource of the managed resource group is returned as its list entry. All other
 * unreadable resources are skipped.
 */
export async function* listResources(context: ActionContext): AsyncGenerator<object> {
  const { azure, document, logger, signal } = context;
  // The managed resource group is read first. If it is missing, the request fails before any part of the response is sent.
  const ownParts = await Array.fromAsync(
    azure.resources.resources.listByResourceGroup(managedGroupOf(document), azure.call(signal)),
  );
  yield* networkParts(context);
  const { diskEncryptionSetId } = document.openShiftCluster.properties.masterProfile;
  if (diskEncryptionSetId) yield* found(await read(context, diskEncryptionSetId));
  for (const part of ownParts) {
    if (apiVersionOf(part.type ?? "") === undefined) {
      logger.warn({ type: part.type }, "a resource of an unknown type is omitted");
      continue;
    }
    yield (await read(context, part.id ?? "")) ?? part;
  }
}

async function* networkParts(context: ActionContext): AsyncGenerator<object> {
  const { document } = context;
  const { properties } = document.openShiftCluster;
  const [networkId = ""] = properties.masterProfile.subnetId.split(/\/subnets\//i);
  const network = await read(context, networkId);
  if (!network) return;
  yield network;
  const ours = subnetIdsOf(document.openShiftCluster);
  for (const subnet of listAt(network, "properties", "subnets")) {
    const id = stringAt(subnet, "id") ?? "";
    if (!ours.some((each) => sameResource(each, id))) continue;
    const routeTable = stringAt(subnet, "properties", "routeTable", "id");
    if (routeTable) yield* found(await read(context, routeTable));
    const securityGroup = stringAt(subnet, "properties", "networkSecurityGroup", "id");
    if (securityGroup && isForeign(securityGroup, managedGroupOf(document))) {
      yield* found(await read(context, securityGroup));
    }
  }
}

function isForeign(id: string, managedGroup: string): boolean {
  return resourceGroupNameOf(id)?.toLowerCase() !== managedGroup.toLowerCase();
}

function subnetIdsOf({ properties }: OpenShiftCluster): readonly string[] {
  const { masterProfile, workerProfiles, workerProfilesStatus } = properties;
  const workers = workerProfilesStatus ?? workerProfiles ?? [];
  return [masterProfile.subnetId, ...workers.flatMap(({ subnetId }) => (subnetId ? [subnetId] : []))];
}

function found<T>(resource: T | undefined): readonly T[] {
  return resource === undefined ? [] : [resource];
}

/**
 * Reads one resource. Returns undefined if the resource cannot be read. For example, it may have been deleted since ARM listed
 * it.
 */
async function read({ azure, logger, signal }: ActionContext, id: string): Promise<JsonObject | undefined> {
  const type = typeOf(id);
  const apiVersion = apiVersionOf(type);
  if (apiVersion === undefined) return undefined;
  const expand = type === machineType ? { $expand: "instanceView" } : undefined;
  try {
    const resource = await azure.raw.get(id, { "api-version": apiVersion, ...expand }, signal);
    return isPlainObject(resource) ? resource : undefined;
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ id, reason: azureErrorMessage(error) }, "a resource could not be read");
    return undefined;
  }
}

/** Lower case. */
export function typeOf(id: string): string {
  const parsed = parseResourceId(id);
  return parsed ? [parsed.namespace, ...parsed.path.map(([type]) => type)].join("/").toLowerCase() : "";
}
