import { findAdminPermission, needsReason, roleOfAdminVersion } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { type Admission, hasRole, isAdminRequest, rightsOf } from "@keelson/auth";
import { adminClusterPath } from "./messages/paths.ts";
import { principalHeader, type RequestContext } from "./messages/request-context.ts";

/** Rules for checking an administrator's role. */
export interface AdministratorRules {
  /** True if actions that need all rights also need a reason. */
  readonly requireReason: boolean;
}

/**
 * `route` is the path pattern.
 * @throws CloudError Forbidden if the administrator's role does not suffice or the reason is missing
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
 * A token identifies its caller. Its requests may name a different person only if the configuration trusts the
 * token's application.
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
  // Readers may call nonexistent paths and methods, which do nothing.
  return findAdminPermission(method, path)?.role ?? "reader";
}
