import { type KeyPair, Secret } from "@keelson/base";
import type { PortalConfig } from "./config/portal-config.ts";
import type { RoleConfig } from "./config/service-config.ts";
import { readCertificate } from "./files/certificate-files.ts";
import { readConfigFile } from "./files/config-files.ts";

/** Returns the sign-in settings of the portal. Returns `undefined` if sign-in is not configured. @throws InvalidConfiguration */
export async function portalSignInOf(config: RoleConfig): Promise<PortalSignInOptions | undefined> {
  const { portal, azure, tenantId } = config;
  if (!portal?.signIn) return undefined;
  const { clientId, certificateFile, keyFile, sessionKeys, groups } = portal.signIn;
  const caPem = azure.caFile && readConfigFile("azure.caFile", azure.caFile);
  return {
    tenantId,
    clientId,
    loginEndpoint: azure.loginEndpoint,
    graphEndpoint: azure.graphEndpoint ?? "https://graph.microsoft.com",
    credential: { certificate: await readCertificate({ certificateFile, keyFile }) },
    sessionKeys: sessionKeys.map((key) => new Secret(key)),
    groups,
    ...(portal.adminApi ? { scope: portal.adminApi.scope } : {}),
    ...(caPem ? { caPem } : {}),
  };
}

export interface PortalSignInOptions {
  readonly tenantId: string;
  readonly clientId: string;
  readonly loginEndpoint: string;
  readonly graphEndpoint: string;
  readonly credential: { readonly certificate: KeyPair };
  readonly sessionKeys: readonly Secret[];
  /** Scope of the admin API. */
  readonly scope?: string;
  readonly groups: NonNullable<PortalConfig["signIn"]>["groups"];
  readonly caPem?: string;
}
