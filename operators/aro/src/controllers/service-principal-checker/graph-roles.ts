import { forbiddenGraphRole, forbiddenGraphRoleMessage } from "@keelson/aro-api";
import { listAt, unverifiedClaims } from "@keelson/base";
import { type Verdict, valid } from "./verdict.ts";

/**
 * Checks the roles in a Microsoft Graph token. The token's signature is not verified, because only Microsoft Graph, its
 * recipient, can verify it.
 */
export function judgeGraphRoles(token: string): Verdict {
  const claims = unverifiedClaims(token);
  if (!claims)
    return { status: "False", message: "The provided service principal generated an invalid token." };
  if (!listAt(claims, "roles").includes(forbiddenGraphRole)) return valid;
  return { status: "False", message: forbiddenGraphRoleMessage };
}
