import type { KubeObject } from "@keelson/apiserver";
import { apiServices } from "../../apis/api-services.ts";
import { defaultRoles } from "../../apis/default-roles.ts";
import { oauthClients } from "../../apis/oauth/oauth-clients.ts";
import { priorityClasses } from "../../apis/priority-classes.ts";
import { constraintRoles } from "../../apis/security/constraint-roles.ts";
import { defaultConstraints } from "../../apis/security/default-constraints.ts";

/**
 * Returns the objects of OpenShift's API servers in a new cluster: roles, security context constraints, priority classes,
 * APIServices and OAuth clients. `url` is the OAuth server.
 */
export function apiSeeds(url: string, now: string): readonly KubeObject[] {
  return [
    ...defaultRoles(),
    ...constraintRoles(),
    ...defaultConstraints(),
    ...priorityClasses,
    ...apiServices(now),
    ...oauthClients(url),
  ];
}
