import { type Refusal, refusal } from "./refusal.ts";

/** Domain of the tenant. User names end with this domain. */
export const tenantDomain = "keelson.local";

/**
 * Path segments that clients may send instead of the tenant. Clients of Active Directory Federation Services (AD FS) send `adfs`.
 */
const anyTenant = ["common", "organizations", "adfs"];

/** True if the first path segment identifies the simulated tenant. */
export function isTenant(tenantId: string, segment: string): boolean {
  return [tenantId.toLowerCase(), tenantDomain, ...anyTenant].includes(segment.toLowerCase());
}

export function noTenant(tenant: string): Refusal {
  return refusal(
    "invalid_request",
    90002,
    `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`,
  );
}
