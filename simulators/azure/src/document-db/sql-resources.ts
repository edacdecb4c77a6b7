import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { parentId } from "../arm/arm-path.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import { guid } from "../base/guid.ts";
import { at, members, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { Directory } from "../entra/directory.ts";

const namespace = "Microsoft.DocumentDB";
const child = { namespace, location: "none" } as const;

/** Databases of a Cosmos DB for NoSQL account. */
export const sqlDatabases: ResourceType = {
  ...child,
  type: "databaseAccounts/sqlDatabases",
  statuses: { created: 200, deleted: 204 },
  names: /^[^/\\#?]{1,255}$/,
  provisioningState: false,
  prepare: (draft) => ({ body: withProperties(draft.body, { resource: resourceOf(draft), options: {} }) }),
};

/** Containers. Partition key and unique keys are immutable. */
export const sqlContainers: ResourceType = {
  ...child,
  type: "databaseAccounts/sqlDatabases/containers",
  statuses: { created: 200, deleted: 204 },
  names: /^[^/\\#?]{1,255}$/,
  provisioningState: false,
  prepare(draft) {
    const resource = resourceOf(draft);
    const paths = at(resource, "partitionKey", "paths");
    if (!Array.isArray(paths) || paths.length === 0) {
      throw badRequest("BadRequest", `The container ${draft.name} needs a partition key.`);
    }
    for (const member of ["partitionKey", "uniqueKeyPolicy"]) {
      const before = at(draft.existing?.body, "properties", "resource", member);
      if (draft.existing && JSON.stringify(before) !== JSON.stringify(resource[member])) {
        throw badRequest(
          "BadRequest",
          `The ${member} of the container ${draft.name} cannot be changed: delete the container first.`,
        );
      }
    }
    return { body: withProperties(draft.body, { resource, options: {} }) };
  },
};

const builtInRoles = [
  "00000000-0000-0000-0000-000000000001",
  "00000000-0000-0000-0000-000000000002",
] as const;

/** Role assignments for data plane access to an account. */
export const sqlRoleAssignments: ResourceType = {
  ...child,
  type: "databaseAccounts/sqlRoleAssignments",
  statuses: { created: 200, deleted: 204 },
  names: guid,
  provisioningState: false,
  prepare({ id, body }, subscription) {
    const account = parentId(id);
    const role = nonEmptyStringAt(body, "properties", "roleDefinitionId") ?? "";
    const known = builtInRoles.map((each) => `${account}/sqlRoleDefinitions/${each}`.toLowerCase());
    if (!known.includes(role.toLowerCase())) {
      throw badRequest("BadRequest", `The role definition '${role}' of the account does not exist.`);
    }
    const principalId = nonEmptyStringAt(body, "properties", "principalId") ?? "";
    if (!new Directory(subscription.store).findPrincipal(principalId)) {
      throw badRequest(
        "BadRequest",
        `The provided principal ID [${principalId}] was not found in the AAD tenant(s) [${subscription.tenantId}].`,
      );
    }
    const scope = nonEmptyStringAt(body, "properties", "scope") ?? "";
    if (!`${scope.toLowerCase()}/`.startsWith(`${account.toLowerCase()}/`)) {
      throw badRequest("BadRequest", `The scope '${scope}' is not within the account.`);
    }
    return { body };
  },
};

/** Returns the data plane resource in the body. Its `id` must equal the resource name. */
function resourceOf({ body, name }: Draft): JsonObject {
  const resource = members(at(body, "properties", "resource"));
  if (resource.id === name) return resource;
  throw badRequest(
    "BadRequest",
    `'properties.resource.id' is '${nonEmptyStringAt(resource, "id") ?? ""}', and not '${name}'.`,
  );
}
