import type { JsonObject } from "@keelson/base";
import { cloudMetadata } from "../arm/metadata.ts";
import { renderGroup } from "../arm/resource-group.ts";
import { requireGroup } from "../arm/resource-groups.ts";
import type { Subscription } from "../arm/subscription.ts";
import { getSubscription } from "../arm/subscription-routes.ts";
import { members } from "../base/json.ts";
import type { Place } from "./language/context.ts";
import type { Surroundings } from "./template/template-context.ts";

/** Returns the environment of a template: subscription, tenant and group. @throws ArmError 404 for a missing group */
export function surroundingsOf(
  subscription: Subscription,
  place: Place,
  baseUrl: string,
  now: Date,
  deployment: JsonObject,
): Surroundings {
  const { id, subscriptionId, tenantId, displayName } = members(getSubscription(subscription).body);
  const group = place.group === undefined ? undefined : requireGroup(subscription, place.group);
  return {
    place: group ? { ...place, group: group.name } : place,
    now,
    values: {
      subscription: { id, subscriptionId, tenantId, displayName },
      tenant: {
        id: `/tenants/${subscription.tenantId}`,
        tenantId: subscription.tenantId,
        tenantCategory: "Home",
        displayName,
      },
      ...(group ? { resourceGroup: members(renderGroup(group)) } : {}),
      deployment,
      environment: members(cloudMetadata(baseUrl, "2022-09-01").body),
    },
  };
}
