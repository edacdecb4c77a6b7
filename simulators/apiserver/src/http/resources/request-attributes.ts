import type { Attributes } from "../../auth/attributes.ts";
import { requireAllowed } from "../../auth/require-allowed.ts";
import type { ResourceDirectory } from "../../resources/resource-directory.ts";
import type { RequestInfo } from "../messages/request-info.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** Returns the authorization attributes of a request. */
export function attributesOf(info: RequestInfo, directory: ResourceDirectory): Attributes {
  if (info.kind === "path") return info;
  const { verb, group, resource, subresource, namespace, name, selectedName } = info;
  const standsForNamespace =
    (group === "" && resource === "namespaces") ||
    directory.find(info)?.aggregated?.standsForNamespace === true;
  return {
    kind: "resource",
    verb,
    group,
    resource: subresource ? `${resource}/${subresource}` : resource,
    namespace: namespace ?? (standsForNamespace ? (name ?? "") : ""),
    name: name ?? selectedName ?? "",
  };
}

/**
 * Requires permission to create the target. Some requests create objects, although their method maps to a different verb.
 * @throws StatusError 403
 */
export async function requireCreate({ cluster, user, info }: ResourceRequest): Promise<void> {
  if (info.verb === "create") return;
  const attributes = attributesOf({ ...info, verb: "create" }, cluster.context.directory);
  await requireAllowed(cluster.authorizer, user, attributes);
}
