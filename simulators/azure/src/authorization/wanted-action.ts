import { parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest } from "../arm/exchange.ts";

const verbs: Readonly<Record<string, string>> = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

/**
 * Action that a request performs, and the scope of the action. Role checks, deny assignments, locks and the activity log use this
 * data.
 */
export interface WantedAction {
  readonly scope: string;
  /** Action, for example `Microsoft.Network/virtualNetworks/write`. */
  readonly action: string;
  /** True if any role in the subscription is sufficient, because the request reads only properties of the subscription. */
  readonly isForAnyRole?: true;
  /**
   * True if a role with the action at any scope of the subscription is sufficient, because the response is identical for all
   * scopes.
   */
  readonly isForAnyScope?: true;
}

/**
 * Regional catalogues. Azure's access rule is not documented. In practice, installers that have roles only on resource groups can
 * read the catalogues.
 */
const catalogue = /^Microsoft\.Compute\/(skus|locations\/publishers(\/.*)?)$/i;

/**
 * Returns the action of a request. Returns `undefined` for requests that are always allowed. These are reads at tenant scope,
 * operation polls, and reads of the caller's own rights.
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
 * Returns the action of a request that names no provider. Lists of resource groups and resources need no action, because the
 * lists contain only entries that the caller may read.
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
