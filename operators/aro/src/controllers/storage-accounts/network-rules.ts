import { resourceKey, sameResource } from "@keelson/arm";
import { isPlainObject, type JsonObject, listAt, objectAt, stringAt } from "@keelson/base";

const storage = "microsoft.storage";

/** Whether a subnet leads to storage accounts of a region: others may not be named in their rules. */
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
 * The change that lets subnets into an account, with the rules that it has; `undefined` when all are let in. An account
 * without rules lets everything in, and goes on to.
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
