import { parseResourceId, type ResourceId } from "./resource-id.ts";

/** Expected subscription and type of a resource ID that was read from a customer's cluster. */
export interface ExpectedResource {
  readonly subscriptionId: string;
  /** Provider and types, such as `Microsoft.Network/virtualNetworks/subnets`. */
  readonly type: string;
}

/** Matches a valid Azure resource name. A name that consists only of dots is invalid, because it changes the path of a URL. */
const segment = /^(?!\.+$)[\w.()-]{1,128}$/;

/** True for a valid segment of a resource ID. */
export function isResourceName(text: string): boolean {
  return segment.test(text);
}

/**
 * Parses a resource ID that was read from a customer's cluster. Returns undefined if the subscription or type differs from the
 * expected one, or if a URL parser would change the ID.
 */
export function parseResourceIdOfCluster(
  text: string,
  { subscriptionId, type }: ExpectedResource,
): ResourceId | undefined {
  const id = parseResourceId(text);
  if (!id || id.subscriptionId.toLowerCase() !== subscriptionId.toLowerCase()) return undefined;
  const actualType = [id.namespace, ...id.path.map(([each]) => each)].join("/");
  if (actualType.toLowerCase() !== type.toLowerCase()) return undefined;
  const names = [id.resourceGroup, ...id.path.map(([, name]) => name)];
  return names.every(isResourceName) ? id : undefined;
}
