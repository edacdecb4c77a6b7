import { type Refusal, refusal } from "./refusal.ts";

/** Domain of the tenant, with which user names end. */
export const tenantDomain = "keelson.local";

/** `adfs` represents the tenant for clients that use Active Directory Federation Services. */
const anyTenant = ["common", "organizations", "adfs"];

/** True if the first segment of a path denotes the single tenant. */
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
