import { parseResourceId } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import type { AzureClients } from "./clients.ts";
import type { RawRequests } from "./raw-requests.ts";

/** Permissions of one role: `actions` minus `notActions`. */
export interface Permission {
  readonly actions?: readonly string[];
  readonly notActions?: readonly string[];
}

/** Maximum number of result pages. No principal has so many role assignments on a resource that it needs more pages. */
const maxPages = 100;

/**
 * Returns the permissions of the signed-in principal on a resource. The result may be up to five minutes old, because Azure
 * caches it. Rejects with the SDK error 404 for a resource that does not exist.
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
 * Returns the permissions of a principal at a scope, computed from the role assignments of the principal and its groups. Unlike
 * in `permissionsOn`, new role assignments count immediately. Requires permission to read role assignments.
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

/** Returns the first action that the permissions do not allow. */
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

/**
 * Converts an action pattern to a regular expression. `Microsoft.Network/*` matches all actions below it. Matching ignores case.
 */
function patternOf(text: string): RegExp {
  const literal = text.replace(/[.\\+?^${}()|[\]]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("*", ".*")}$`, "i");
}
