import { type AzureClients, unlessGone } from "@keelson/azure";
import { isPlainObject } from "@keelson/base";
import { identityName } from "../template/names.ts";
import type { DeployContext } from "./context.ts";

/** Object IDs of the principals that receive role assignments. */
export interface Principals {
  readonly rp: Identity;
  readonly gateway?: Identity;
  /** Object ID of the deploying principal. */
  readonly deployer: string;
}

export interface Identity {
  readonly principalId: string;
  readonly clientId: string;
}

export async function findIdentity(
  azure: AzureClients,
  group: string,
  role: "rp" | "gateway",
  location: string,
  signal: AbortSignal,
): Promise<Identity | undefined> {
  const name = String(identityName(role, location));
  const identity = await unlessGone(() =>
    azure.identities.userAssignedIdentities.get(group, name, azure.call(signal)),
  );
  return identity && { principalId: identity.principalId ?? "", clientId: identity.clientId ?? "" };
}

/** Returns the configured deployer. Default: the signed-in principal. */
export async function deployerOf({ region, connect, signal }: DeployContext): Promise<string> {
  const { globalDevopsServicePrincipalId: named } = region.configuration;
  if (named !== undefined) return named;
  const token = await connect(region.subscriptionId).getToken(signal);
  const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  return isPlainObject(claims) && typeof claims.oid === "string" ? claims.oid : "";
}
