import { parseProviderPath } from "../../arm/arm-path.ts";

export interface DeploymentPath {
  readonly subscriptionId: string;
  readonly group: string | undefined;
  /** Deployment name. Undefined for the list of all deployments. */
  readonly name: string | undefined;
  /** Lower-case action: `validate`, `whatIf`, `operations`, ... */
  readonly action: string | undefined;
  /** ID of a deployment operation, or ID in the URL of an operation status. */
  readonly id: string | undefined;
}

/** Parses a path of a deployment in a subscription or group. Returns `undefined` for other paths. */
export function parseDeploymentPath(segments: readonly string[]): DeploymentPath | undefined {
  const path = parseProviderPath(withProvider(segments));
  if (path?.namespace.toLowerCase() !== "microsoft.resources") return undefined;
  const [type, action] = path.types.map((each) => each.toLowerCase());
  if (type !== "deployments" || path.types.length > 2) return undefined;
  const [root, subscriptionId, kind, group, ...more] = path.scope.split("/").slice(1);
  if (root?.toLowerCase() !== "subscriptions" || subscriptionId === undefined || more.length > 0)
    return undefined;
  if (kind !== undefined && (kind.toLowerCase() !== "resourcegroups" || group === undefined))
    return undefined;
  const [name, id] = path.names;
  return { subscriptionId, group, name, action, id };
}

/**
 * Adds `providers/Microsoft.Resources` to the path of a deployment operation in a resource group, if the path omits these
 * segments.
 */
function withProvider(segments: readonly string[]): readonly string[] {
  const [, , kind = "", , type = "", , action = ""] = segments.map((each) => each.toLowerCase());
  const isShort = kind === "resourcegroups" && type === "deployments" && action === "operations";
  return isShort
    ? [...segments.slice(0, 4), "providers", "Microsoft.Resources", ...segments.slice(4)]
    : segments;
}

/** True if requests to the path contain a template. The Azure CLI can send such a request in a non-standard form of JSON. */
export function takesTemplates(url: string): boolean {
  return /^[^?]*\/providers\/+Microsoft\.Resources\/+deployments\/+[^/?]+(\/+(validate|whatIf)\/*)?\/*(\?|$)/i.test(
    url,
  );
}
