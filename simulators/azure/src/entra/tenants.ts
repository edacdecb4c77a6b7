import { type Refusal, refusal } from "./refusal.ts";

/** The tenant's own domain: names of users end with it. */
export const tenantDomain = "keelson.local";

/** `adfs` stands for the tenant where clients speak to it as to a server of Active Directory. */
const anyTenant = ["common", "organizations", "adfs"];

/** Whether a path's first segment means the one tenant that there is. */
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
