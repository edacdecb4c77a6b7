import { parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest } from "../arm/exchange.ts";

const verbs: Readonly<Record<string, string>> = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

/** What a request does and where: what rights, denials and locks are asked about, and what the activity log tells. */
export interface WantedAction {
  readonly scope: string;
  /** `Microsoft.Network/virtualNetworks/write` */
  readonly action: string;
}

/** `undefined` for what everyone may do: look at operations, and at one's own rights. */
export function wantedAction({
  method,
  segments,
}: Pick<ArmRequest, "method" | "segments">): WantedAction | undefined {
  const id = `/${segments.join("/")}`;
  const verb = verbs[method] ?? "action";
  const path = parseProviderPath(segments);
  if (!path) {
    const [, , kind, name] = segments;
    if (kind?.toLowerCase() !== "resourcegroups" || name === undefined) return undefined;
    return { scope: id, action: `Microsoft.Resources/subscriptions/resourceGroups/${verb}` };
  }
  const type = `${path.namespace}/${path.types.join("/")}`;
  if (/^Microsoft\.Authorization\/permissions$|\/operation(s|results)$/i.test(type)) return undefined;
  return { scope: id, action: `${type}/${verb}` };
}
