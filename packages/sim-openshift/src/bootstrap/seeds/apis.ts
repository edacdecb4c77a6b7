import type { KubeObject } from "@keelson/apiserver";
import { apiServices } from "../../apis/api-services.ts";
import { defaultRoles } from "../../apis/default-roles.ts";
import { defaultConstraints } from "../../apis/security/default-constraints.ts";

/** What OpenShift's API servers find in a fresh cluster: roles, security context constraints, their APIServices. */
export function apiSeeds(now: string): readonly KubeObject[] {
  return [...defaultRoles(), ...defaultConstraints(), ...apiServices(now)];
}
