import { badRequest } from "../arm/arm-error.ts";
import { lastSegment, parentId, subscriptionOf } from "../arm/arm-path.ts";
import type { Draft } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";

/** Checks that the allowed subnets exist and have a storage service endpoint. Subnets of other subscriptions are not checked. */
export function checkNetworkRules({ body }: Draft, subscription: Subscription): void {
  for (const rule of objectsAt(body, "properties", "networkAcls", "virtualNetworkRules")) {
    const id = nonEmptyStringAt(rule, "id") ?? "";
    if (subscriptionOf(id)?.toLowerCase() !== subscription.subscriptionId.toLowerCase()) continue;
    const subnet = subscription.resources.resolve(id)?.element;
    if (!subnet) throw refused(`SubnetsNotFound:The subnet ${id} was not found.`);
    const services = objectsAt(subnet, "properties", "serviceEndpoints").map((each) =>
      nonEmptyStringAt(each, "service"),
    );
    if (services.some((each) => each === "Microsoft.Storage" || each === "Microsoft.Storage.Global"))
      continue;
    throw refused(
      `SubnetsHaveNoServiceEndpointsConfigured:Subnets ${lastSegment(id)} of virtual network ${parentId(id)} do not have ServiceEndpoints for Microsoft.Storage resources configured. Add Microsoft.Storage to subnet's ServiceEndpoints collection before trying to ACL Microsoft.Storage resources to these subnets..`,
    );
  }
}

function refused(reason: string): Error {
  return badRequest("NetworkAclsValidationFailure", `Validation of network acls failure: ${reason}`);
}
