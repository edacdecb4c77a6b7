import { parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest } from "../arm/exchange.ts";

const verbs: Readonly<Record<string, string>> = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

/** Action and scope of a request, for rights, denials, locks and the activity log. */
export interface WantedAction {
  readonly scope: string;
  /** `Microsoft.Network/virtualNetworks/write` */
  readonly action: string;
  /** Any role in the subscription is sufficient to read its properties. */
  readonly isForAnyRole?: true;
  /**
   * A role with the action at any scope of the subscription is sufficient, because the offers are the same
   * everywhere.
   */
  readonly isForAnyScope?: true;
}

/**
 * Catalogues of a region. Azure's rule is not documented, but installers can read them with roles on groups.
 */
const catalogue = /^Microsoft\.Compute\/(skus|locations\/publishers(\/.*)?)$/i;

/**
 * Action of a request. `undefined` for requests that are always allowed: tenant reads, operations, and the
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

/** Lists of groups and resources contain only those that the caller may read. */
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
