import type { KubeObject } from "@keelson/apiserver";
import { apiServices } from "../../apis/api-services.ts";
import { defaultRoles } from "../../apis/default-roles.ts";
import { oauthClients } from "../../apis/oauth/oauth-clients.ts";
import { defaultConstraints } from "../../apis/security/default-constraints.ts";

/**
 * Objects of OpenShift's API servers in a fresh cluster: roles, security context constraints, APIServices,
 * and the OAuth clients for the server at `url`.
 */
export function apiSeeds(url: string, now: string): readonly KubeObject[] {
  return [...defaultRoles(), ...defaultConstraints(), ...apiServices(now), ...oauthClients(url)];
}
