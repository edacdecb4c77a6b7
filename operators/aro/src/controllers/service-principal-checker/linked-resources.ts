import { isFlagOn, type linkedRights } from "@keelson/aro-api";
import { azureErrorCode } from "@keelson/azure";
import type { JsonObject } from "@keelson/base";
import { stringAt } from "@keelson/base";
import { clusterSubnets, diskEncryptionSetOf, machinesIn } from "../../azure/cluster-subnets.ts";
import { isResourceId } from "../../azure/resource-ids.ts";
import type { Request } from "../../runtime/operator-context.ts";
import { denied } from "./rights.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

const readAction = "Microsoft.Network/virtualNetworks/subnets/read";

export interface LinkedResource {
  readonly kind: keyof typeof linkedRights;
  readonly id: string;
}

/**
 * Returns the customer's resources that the cluster uses: networks, subnets and resources attached to them. The list has no
 * duplicates.
 */
export async function linkedResources(
  request: Request,
): Promise<{ readonly resources: readonly LinkedResource[]; readonly unread: readonly Verdict[] }> {
  const { azure, cache, cluster, flags } = request;
  const { subnets } = clusterSubnets(cluster, cache);
  const { sets, masters } = machinesIn(cache);
  const networks = [...(cluster.spec?.vnetId ? [cluster.spec.vnetId] : []), ...subnets.map(networkOf)];
  const found: LinkedResource[] = networks.map((id) => ({ kind: "vnet", id }));
  const unread: Verdict[] = [];
  for (const { id } of subnets) {
    try {
      const subnet = await azure.find(id);
      if (subnet) found.push({ kind: "subnet", id }, ...attachmentsOf(subnet, bringsGroups(flags)));
    } catch (error) {
      request.signal.throwIfAborted();
      found.push({ kind: "subnet", id });
      const { principal } = azure;
      if (!isForbidden(error)) unread.push(verdictOf(error));
      // A principal with a client secret needs no entry here, because the permission check reports its missing permission.
      else if (principal.usesWorkloadIdentity) unread.push(denied(principal, "subnet", id, readAction));
    }
  }
  for (const machine of [...sets, ...masters]) {
    const id = diskEncryptionSetOf(machine);
    if (id) found.push({ kind: "diskEncryptionSet", id });
  }
  const known = found.filter(({ id }) => isResourceId(id));
  return {
    resources: [...new Map(known.map((each) => [each.id.toLowerCase(), each])).values()],
    unread,
  };
}

/** True if the customer provides the security groups. In this case, the service does not change them. */
function bringsGroups(flags: Request["flags"]): boolean {
  return !isFlagOn(flags, "aro.azuresubnets.nsg.managed");
}

function networkOf({ id }: { readonly id: string }): string {
  return id.slice(0, id.lastIndexOf("/subnets/"));
}

function attachmentsOf(subnet: JsonObject, withGroup: boolean): readonly LinkedResource[] {
  const kinds = [
    "routeTable",
    "natGateway",
    ...(withGroup ? (["networkSecurityGroup"] as const) : []),
  ] as const;
  return kinds.flatMap((kind) => {
    const id = stringAt(subnet, "properties", kind, "id");
    return id === undefined ? [] : [{ kind, id }];
  });
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && azureErrorCode(error.cause) === "AuthorizationFailed";
}
