import { sameResource } from "@keelson/arm";
import { isPlainObject, type JsonObject, type JsonValue, listAt, stringAt } from "@keelson/base";

/** Desired properties of a subnet. */
export interface WantedSubnet {
  /** ID of the required security group. Default: the current group. */
  readonly groupId?: string | undefined;
  /** Returns true if the current security group may be replaced. */
  readonly mayReplace: (groupId: string) => boolean;
  /** Services that need an endpoint in the subnet. */
  readonly services: readonly string[];
}

export interface SubnetPlan {
  /** Subnet body with the desired properties. All remaining properties are unchanged. */
  readonly body: JsonObject;
  /** Paths of the changed properties. */
  readonly fields: readonly string[];
  /** ID of a foreign security group that is not replaced. */
  readonly keptGroup?: string;
}

const group = "properties.networkSecurityGroup";
const endpoints = "properties.serviceEndpoints";

/** Services for which subnets need an endpoint if the cluster has no gateway. */
export const requiredServices = ["Microsoft.ContainerRegistry", "Microsoft.Storage"];

/**
 * Plans the write that sets the desired properties of a subnet. The result is `undefined` if nothing differs. If the only
 * difference is a security group that must not be replaced, the plan has no `fields`.
 */
export function planSubnet(
  subnet: JsonObject,
  { groupId, mayReplace, services }: WantedSubnet,
): SubnetPlan | undefined {
  const properties = isPlainObject(subnet.properties) ? subnet.properties : {};
  const repairs: Record<string, JsonValue> = {};
  const present = stringAt(properties, "networkSecurityGroup", "id");
  const differs = groupId !== undefined && !(present && sameResource(present, groupId));
  const keptGroup = differs && present && !mayReplace(present) ? present : undefined;
  if (differs && keptGroup === undefined) repairs.networkSecurityGroup = { id: groupId };
  const live = listAt(properties, "serviceEndpoints").filter(isPlainObject) as readonly JsonObject[];
  const wanted = withServices(live, services);
  if (wanted !== live) repairs.serviceEndpoints = [...wanted];
  const fields = [...(repairs.networkSecurityGroup ? [group] : []), ...(wanted === live ? [] : [endpoints])];
  if (fields.length === 0 && keptGroup === undefined) return undefined;
  const body = { ...subnet, properties: { ...properties, ...repairs } };
  return { body, fields, ...(keptGroup === undefined ? {} : { keptGroup }) };
}

/**
 * Returns the endpoints with exactly one entry for each service. If the list already has this form and no endpoint has failed,
 * the same list is returned. A service that Azure is adding counts as present. A failed endpoint keeps its position and is
 * written again, so that Azure retries it.
 */
function withServices(live: readonly JsonObject[], services: readonly string[]): readonly JsonObject[] {
  const of = (service: string) => live.filter((each) => isService(each, service));
  const isFine = (service: string) => {
    const [first, ...doubles] = of(service);
    return first !== undefined && doubles.length === 0 && first.provisioningState !== "Failed";
  };
  const broken = services.filter((service) => !isFine(service));
  if (broken.length === 0) return live;
  const merged = live.flatMap((each) => {
    const service = broken.find((one) => isService(each, one));
    if (service === undefined) return [each];
    const all = of(service);
    return all[0] === each ? [{ ...each, locations: locationsOf(all) }] : [];
  });
  const added = broken.filter((service) => of(service).length === 0);
  return [...merged, ...added.map((service) => ({ service, locations: ["*"] }))];
}

function isService(endpoint: JsonObject, service: string): boolean {
  return stringAt(endpoint, "service")?.toLowerCase() === service.toLowerCase();
}

/** Returns the combined locations of duplicate endpoints. */
function locationsOf(endpoints: readonly JsonObject[]): string[] {
  const all = endpoints.flatMap((each) =>
    listAt(each, "locations").filter((one): one is string => typeof one === "string"),
  );
  return all.length === 0 || all.includes("*") ? ["*"] : [...new Set(all)];
}

/** True while Azure updates the subnet. Azure would reject a write with a conflict. */
export function isUpdating(subnet: JsonObject): boolean {
  return /^(?:Updating|Deleting)$/.test(stringAt(subnet, "properties", "provisioningState") ?? "");
}
