import { failures, StatusError } from "@keelson/apimachinery";
import type { Attributes } from "./attributes.ts";
import type { RbacAuthorizer } from "./rbac.ts";
import type { User } from "./user.ts";

/**
 * Requires that the user may perform a request.
 * @throws StatusError 403 with kube-apiserver's message
 */
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

/** Returns kube-apiserver's message for a denied request. */
function refusal(user: string, attributes: Attributes): string {
  if (attributes.kind === "path") return `User "${user}" cannot ${attributes.verb} path "${attributes.path}"`;
  const { verb, group, resource, namespace } = attributes;
  const where = namespace ? `in the namespace "${namespace}"` : "at the cluster scope";
  return `User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}
