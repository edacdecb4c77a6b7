import { failures, StatusError } from "../status/status-error.ts";
import type { RbacAuthorizer } from "./rbac.ts";
import type { User } from "./user.ts";

/** What a request is about, as authorization rules name it. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly kind: "resource";
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

interface PathAttributes {
  readonly kind: "path";
  readonly verb: string;
  readonly path: string;
}

/** @throws StatusError 403 in the words that clients know */
export async function requireAllowed(
  authorizer: RbacAuthorizer,
  user: User,
  attributes: Attributes,
): Promise<void> {
  const { allowed, reason } = await authorizer.decide(user, attributes);
  if (allowed) return;
  const why = refusal(user.name, attributes) + (reason ? `: ${reason}` : "");
  if (attributes.kind === "path") throw new StatusError(403, "Forbidden", `forbidden: ${why}`, {});
  const [resource = ""] = attributes.resource.split("/", 1);
  throw failures.forbidden({ group: attributes.group, resource }, attributes.name, why);
}

/** Why a request is refused, in the words that clients get. */
function refusal(user: string, attributes: Attributes): string {
  if (attributes.kind === "path") return `User "${user}" cannot ${attributes.verb} path "${attributes.path}"`;
  const { verb, group, resource, namespace } = attributes;
  const where = namespace ? `in the namespace "${namespace}"` : "at the cluster scope";
  return `User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}
