import { parseResourceId } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import type { AzureClients } from "./clients.ts";
import type { RawRequests } from "./raw-requests.ts";

/** One role's worth of rights: `actions` less `notActions`. */
export interface Permission {
  readonly actions?: readonly string[];
  readonly notActions?: readonly string[];
}

/** Of roles on one resource no principal has so many. */
const maxPages = 100;

/**
 * What the principal that the clients are signed in as may do with a resource. Azure answers from memory that may be
 * five minutes old. Rejects as the SDKs do: 404 for a resource that does not exist.
 */
export async function permissionsOn(
  { raw }: { readonly raw: Pick<RawRequests, "get"> },
  resourceId: string,
  abortSignal: AbortSignal,
): Promise<readonly Permission[]> {
  if (!parseResourceId(resourceId)?.path.at(-1))
    throw new TypeError(`${resourceId} is not the ID of a resource`);
  const path = `${resourceId}/providers/Microsoft.Authorization/permissions`;
  const permissions: Permission[] = [];
  let query: Record<string, string> | undefined = { "api-version": "2022-04-01" };
  for (let count = 0; query && count < maxPages; count++) {
    const { value, nextLink } = await raw.get(path, query, abortSignal);
    if (Array.isArray(value)) permissions.push(...value.filter(isPlainObject));
    const next = typeof nextLink === "string" ? URL.parse(nextLink) : null;
    query = next ? Object.fromEntries(next.searchParams) : undefined;
  }
  return permissions;
}

/**
 * What the roles that are assigned to a principal allow at a scope, by the assignments themselves: those of the last
 * minutes count already, which `permissionsOn` may not know yet. Groups count. Needs the right to read assignments.
 */
export async function assignedPermissions(
  { authorization }: Pick<AzureClients, "authorization">,
  scope: string,
  principalId: string,
  abortSignal: AbortSignal,
): Promise<readonly Permission[]> {
  const { roleAssignments, roleDefinitions } = authorization;
  const filter = `atScope() and assignedTo('${principalId}')`;
  const roleIds = new Set<string>();
  for await (const { roleDefinitionId } of roleAssignments.listForScope(scope, { filter, abortSignal })) {
    if (roleDefinitionId) roleIds.add(roleDefinitionId);
  }
  const roles = await Promise.all([...roleIds].map((id) => roleDefinitions.getById(id, { abortSignal })));
  return roles.flatMap(({ permissions = [] }) => permissions);
}

/** The first of the actions that none of the permissions allows. */
export function missingAction(
  permissions: readonly Permission[],
  actions: readonly string[],
): string | undefined {
  return actions.find((action) => !permissions.some((each) => allows(each, action)));
}

function allows({ actions = [], notActions = [] }: Permission, action: string): boolean {
  const covers = (pattern: string) => patternOf(pattern).test(action);
  return actions.some(covers) && !notActions.some(covers);
}

/** `Microsoft.Network/*` covers everything below it; case does not matter. */
function patternOf(text: string): RegExp {
  const literal = text.replace(/[.\\+?^${}()|[\]]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("*", ".*")}$`, "i");
}
