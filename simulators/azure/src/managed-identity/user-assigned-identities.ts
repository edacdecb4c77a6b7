import type { ResourceType } from "../arm/resource-type.ts";
import { nonEmptyStringAt, withProperties } from "../base/json.ts";
import { Directory } from "../entra/directory.ts";
import { IdentityCertificates } from "./credentials/identity-certificates.ts";

/** First API version with `isolationScope`. */
const isolationSince = "2024-11-30";
const assigned = ["clientId", "principalId", "tenantId"];

/**
 * User-assigned managed identities. Each identity has a service principal in the tenant. If an identity is deleted, its service
 * principal is deleted too.
 */
export const userAssignedIdentities: ResourceType = {
  namespace: "Microsoft.ManagedIdentity",
  type: "userAssignedIdentities",
  names: /^[A-Za-z0-9][\w-]{2,127}$/,
  provisioningState: false,
  namesCreated: true,
  order: {
    top: ["location", "tags", "id", "name", "type", "properties"],
    properties: ["isolationScope", "tenantId", "principalId", "clientId"],
  },
  readOnly: assigned,
  prepare({ id, body, existing }, subscription) {
    const kept = (member: "clientId" | "principalId") =>
      nonEmptyStringAt(existing?.body, "properties", member) ?? subscription.newIds.next(id, member);
    const ids = {
      clientId: kept("clientId"),
      principalId: kept("principalId"),
      tenantId: subscription.tenantId,
    };
    return { body: { ...withProperties(body, ids), tags: body.tags ?? {} } };
  },
  /** Identity IDs always contain `resourcegroups` in lower case, even if the request contains `resourceGroups`. */
  render({ id, body }, _subscription, request) {
    const isIsolated = (request?.query.get("api-version") ?? isolationSince) >= isolationSince;
    const isolationScope = nonEmptyStringAt(body, "properties", "isolationScope") ?? "None";
    return {
      ...(isIsolated ? withProperties(body, { isolationScope }) : body),
      id: id.replace("/resourceGroups/", "/resourcegroups/"),
    };
  },
  created({ id, name, body }, { store }) {
    new Directory(store).put({
      clientId: nonEmptyStringAt(body, "properties", "clientId") ?? "",
      displayName: name,
      objectId: nonEmptyStringAt(body, "properties", "principalId") ?? "",
      passwords: [],
      identityId: id,
    });
  },
  removed({ id, body }, { store }) {
    new Directory(store).remove(nonEmptyStringAt(body, "properties", "clientId") ?? "");
    new IdentityCertificates(store).remove(id);
  },
};
