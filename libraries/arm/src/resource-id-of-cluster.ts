import { parseResourceId, type ResourceId } from "./resource-id.ts";

/** Expected subscription and type of a resource ID that a customer's cluster provides. */
export interface ExpectedResource {
  readonly subscriptionId: string;
  /** Provider and types, such as `Microsoft.Network/virtualNetworks/subnets`. */
  readonly type: string;
}

/** Characters of a resource name in Azure. A name of only dots is invalid, because it changes the path of a URL. */
const segment = /^(?!\.+$)[\w.()-]{1,128}$/;

/** True for a valid segment of a resource ID. */
export function isResourceName(text: string): boolean {
  return segment.test(text);
}

/**
 * Parses a resource ID from a customer's cluster. Returns undefined for a different subscription or type. Also returns undefined
 * if the ID would change in a URL.
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
