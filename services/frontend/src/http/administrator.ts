import { findAdminPermission, needsReason, roleOfAdminVersion } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { type Admission, hasRole, isAdminRequest, rightsOf } from "@keelson/auth";
import { adminClusterPath } from "./messages/paths.ts";
import { principalHeader, type RequestContext } from "./messages/request-context.ts";

/** Rules for the check of an administrator's role. */
export interface AdministratorRules {
  /** True if actions with the role `elevated` also need a reason. */
  readonly requireReason: boolean;
}

/**
 * Checks the role and the reason of an administrator for a route. `route` is the route's path pattern.
 * @throws CloudError Forbidden if the role does not suffice or the reason is missing
 */
export function checkAdministrator(
  request: RequestContext,
  route: string,
  admission: Admission,
  { requireReason }: AdministratorRules,
): void {
  if (!isAdminRequest(request)) return;
  assertOwnName(request, admission);
  const needed = neededRole(request.method, route);
  if (!hasRole(admission, needed)) {
    throw new CloudError(
      "Forbidden",
      `The role '${rightsOf(admission)}' may not do this: it needs the role '${needed}'.`,
    );
  }
  if (requireReason && needsReason(needed) && request.reason === undefined)
    throw new CloudError("Forbidden", "Say why in the header X-Keelson-Reason: the audit keeps it.");
}

/**
 * Rejects a request that names a person other than the subject of its token. Applications that the configuration trusts may name
 * any person.
 */
function assertOwnName(request: RequestContext, admission: Admission): void {
  if (typeof admission !== "object" || admission.vouchesForNames) return;
  const { lastModifiedBy, createdBy } = request.systemData() ?? {};
  if (!request.header(principalHeader) && !lastModifiedBy && !createdBy) return;
  throw new CloudError(
    "Forbidden",
    "The token of the caller may not act for a person that headers name: remove X-Ms-Client-Principal-Name and " +
      "X-Ms-Arm-Resource-System-Data.",
  );
}

function neededRole(method: string, route: string) {
  if (!route.startsWith("/admin")) return roleOfAdminVersion(method);
  const path = route.startsWith(`${adminClusterPath}/`) ? route.slice(adminClusterPath.length + 1) : route;
  // The role `reader` suffices for a path or method that does not exist, because the request has no effect.
  return findAdminPermission(method, path)?.role ?? "reader";
}
