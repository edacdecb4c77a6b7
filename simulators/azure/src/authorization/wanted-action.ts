import { parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest } from "../arm/exchange.ts";

const verbs: Readonly<Record<string, string>> = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

/** What a request does and where: what rights, denials and locks are asked about, and what the activity log records. */
export interface WantedAction {
  readonly scope: string;
  /** `Microsoft.Network/virtualNetworks/write` */
  readonly action: string;
  /** Any role in the subscription will do: what it has is said to all who have something in it. */
  readonly isForAnyRole?: true;
  /** A role at any scope of the subscription that contains the action will do: what is offered is the same everywhere. */
  readonly isForAnyScope?: true;
}

/** Catalogues of a region. The rule of Azure is not documented; it fits that installers read them with roles on groups. */
const catalogue = /^Microsoft\.Compute\/(skus|locations\/publishers(\/.*)?)$/i;

/** `undefined` for what everyone may do: read what the tenant has, operations, and one's own rights. */
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

/** Lists of groups and of resources show what their callers may read. */
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
