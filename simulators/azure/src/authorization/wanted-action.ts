import { parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest } from "../arm/exchange.ts";

const verbs: Readonly<Record<string, string>> = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

/** Action and scope that a request requires. Used for rights, denials, locks and the activity log. */
export interface WantedAction {
  readonly scope: string;
  /** Action, for example `Microsoft.Network/virtualNetworks/write`. */
  readonly action: string;
  /** True if any role in the subscription suffices, because the request reads only the subscription's properties. */
  readonly isForAnyRole?: true;
  /** True if a role with the action at any scope of the subscription suffices, because the result is the same for all scopes. */
  readonly isForAnyScope?: true;
}

/** Regional catalogues. Azure's access rule is not documented, but installers with roles only on groups can read them. */
const catalogue = /^Microsoft\.Compute\/(skus|locations\/publishers(\/.*)?)$/i;

/**
 * Returns the action of a request. Returns `undefined` for requests that are always allowed: tenant reads, operations, and the
 * caller's own rights.
 */
export function wantedAction({
  method,
  segments,
}: Pick<ArmRequest, "method" | "segments">): WantedAction | undefined {
  const id = `/${segments.join("/")}`;
  const verb = verbs[method] ?? "action";
  const path = parseProviderPath(segments);
  if (!path) return outsideProviders(segments, verb);
  if (path.scope === "" && verb === "read") return undefined;
  const type = `${path.namespace}/${path.types.join("/")}`;
  if (/^Microsoft\.Authorization\/permissions$|\/operation(s|results)$/i.test(type)) return undefined;
  const isForAnyScope = verb === "read" && catalogue.test(type);
  return { scope: id, action: `${type}/${verb}`, ...(isForAnyScope ? { isForAnyScope } : {}) };
}

/**
 * Returns the action of a request outside providers. Lists of groups and resources need no action, because they are filtered by
 * the caller's rights.
 */
function outsideProviders(segments: readonly string[], verb: string): WantedAction | undefined {
  const [root, subscriptionId, kind = "", name, part] = segments;
  if (root?.toLowerCase() !== "subscriptions" || subscriptionId === undefined) return undefined;
  const subscription = `/subscriptions/${subscriptionId}`;
  const resources = "Microsoft.Resources/subscriptions";
  switch (kind.toLowerCase()) {
    case "resourcegroups": {
      if (name === undefined) return undefined;
      const scope = `${subscription}/${kind}/${name}`;
      return { scope, action: [resources, "resourceGroups", ...(part ? [part] : []), verb].join("/") };
    }
    case "resources":
    case "operationresults":
      return undefined;
  }
  const action = [resources, ...(kind ? [kind] : []), verb].join("/");
  return { scope: subscription, action, ...(verb === "read" ? { isForAnyRole: true } : {}) };
}
