import { CloudError } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import type { ClusterContext } from "../context.ts";
import { servicePrincipalOf } from "./cluster-facts.ts";

const target = "properties.servicePrincipalProfile";

/** Stores the object ID of the cluster's service principal, which rights are given to. */
export async function clusterSPObjectID(context: ClusterContext): Promise<void> {
  const token = await context.azureAs(servicePrincipalOf(context)).getToken(context.signal);
  const { oid } = tokenClaims(token);
  await context.update((cluster) => {
    const profile = cluster.properties.servicePrincipalProfile;
    if (!profile || profile.spObjectId === oid) return cluster;
    const servicePrincipalProfile = { ...profile, spObjectId: oid };
    return { ...cluster, properties: { ...cluster.properties, servicePrincipalProfile } };
  });
}

/**
 * The claims of an access token that we fetched ourselves; its signature is for its reader to check.
 * @throws CloudError InvalidServicePrincipalToken, InvalidServicePrincipalClaims
 */
export function tokenClaims(token: string): { readonly oid: string; readonly appid: string } {
  const claims = parseClaims(token);
  if (!claims) {
    throw new CloudError(
      "InvalidServicePrincipalToken",
      "The provided service principal generated an invalid token.",
      { target },
    );
  }
  if (typeof claims.oid !== "string" || claims.oid === "") {
    throw new CloudError(
      "InvalidServicePrincipalClaims",
      "The token of the provided service principal has no oid claim: it does not name a service principal of the tenant.",
      { target },
    );
  }
  return { oid: claims.oid, appid: typeof claims.appid === "string" ? claims.appid : "" };
}

function parseClaims(token: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    return isPlainObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
