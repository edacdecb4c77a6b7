import { resourceKey, sameResource } from "@keelson/arm";
import { isPlainObject, type JsonObject, listAt, objectAt, stringAt } from "@keelson/base";

const storage = "microsoft.storage";

/** True if a subnet has a storage endpoint for the region. Network rules can contain only subnets with this endpoint. */
export function reachesStorage(subnet: JsonObject, location: string): boolean {
  const places = new Set(["*", location.toLowerCase()]);
  return listAt(subnet, "properties", "serviceEndpoints").some(
    (endpoint) =>
      stringAt(endpoint, "service")?.toLowerCase() === storage &&
      listAt(endpoint, "locations").some(
        (each) => typeof each === "string" && places.has(each.toLowerCase()),
      ),
  );
}

/**
 * Returns the change that adds the subnets to an account's network rules. `undefined` if all subnets are present. An account
 * without rules allows all traffic, and still does so after the change.
 */
export function planNetworkRules(account: JsonObject, subnetIds: readonly string[]): JsonObject | undefined {
  const properties = objectAt(account.properties);
  const live = objectAt(properties, "networkAcls");
  const rules = listAt(live, "virtualNetworkRules").filter(isPlainObject) as readonly JsonObject[];
  const known = new Set(rules.map((rule) => resourceKey(stringAt(rule, "id") ?? "")));
  const added = subnetIds
    .filter((id, index) => subnetIds.findIndex((each) => sameResource(each, id)) === index)
    .filter((id) => !known.has(resourceKey(id)))
    .map((id) => ({ id, action: "Allow" }));
  if (added.length === 0) return undefined;
  const networkAcls = { defaultAction: "Allow", ...live, virtualNetworkRules: [...rules, ...added] };
  return { properties: { networkAcls } };
}
