import type { JsonObject } from "@keelson/base";
import type { EntraDeps } from "./entra-deps.ts";

/**
 * Handles `GET /common/userrealm/{user}`. Returns the account type of a user. Clients send this request before they send a
 * password.
 */
export function realmOf({ directory }: EntraDeps, user: string, baseUrl: string): JsonObject {
  const common = { ver: "1.0", domain_name: user.slice(user.lastIndexOf("@") + 1) };
  if (!directory.findUserByName(user)) return { ...common, account_type: "Unknown" };
  return {
    ...common,
    account_type: "Managed",
    cloud_instance_name: new URL(baseUrl).host,
    cloud_audience_urn: "urn:federation:MicrosoftOnline",
  };
}
