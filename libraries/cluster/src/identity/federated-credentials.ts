import { createHash } from "node:crypto";
import { isNotFound } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import { isInterruption } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import { azureAsClusterIdentity, ensureClusterMsiCertificate } from "./cluster-identity.ts";
import { removeRolesOf } from "./identity-roles.ts";
import { oidcIssuerOf } from "./oidc.ts";
import {
  type OperatorIdentityWithRoles,
  operatorIdentities,
  operatorIdentitiesWithRoles,
  type PlacedIdentity,
  retiredIdentities,
} from "./platform-identities.ts";

/** Audience of the tokens of OpenShift's operators. */
const audience = "openshift";

/**
 * Creates the federated credentials of each operator's identity. They allow the operator's service accounts to sign in as the
 * identity.
 */
export async function federateIdentityCredentials(context: ClusterContext): Promise<void> {
  const issuer = oidcIssuerOf(context);
  const identities = await operatorIdentitiesWithRoles(context);
  await Promise.all(identities.map((each) => federate(context, each, issuer)));
}

/** Deletes the federated credentials. A failure does not block the cluster's deletion. */
export async function deleteFederatedCredentials(context: ClusterContext): Promise<void> {
  const issuer = context.cluster.properties.clusterProfile.oidcIssuer;
  if (!issuer) return;
  await tolerating(context, async () => {
    await ensureClusterMsiCertificate(context);
    const { cluster } = context;
    for (const identity of [...operatorIdentities(cluster), ...retiredIdentities(cluster)]) {
      await tolerating(context, () => removeCredentials(context, identity, issuer));
    }
  });
}

/**
 * Removes role assignments and federated credentials of identities that the operators no longer use. If Azure refuses a removal,
 * the next update retries it.
 */
export async function retireIdentities(context: ClusterContext): Promise<void> {
  const issuer = oidcIssuerOf(context);
  const retired = retiredIdentities(context.cluster);
  await removeRolesOf(
    context,
    retired.flatMap(({ objectId }) => objectId ?? []),
  );
  for (const identity of retired) {
    if (!(await tolerating(context, () => removeCredentials(context, identity, issuer)))) continue;
    await context.update((cluster) => {
      const { retiredIdentities: before = [], ...properties } = cluster.properties;
      const left = before.filter(({ resourceId }) => resourceId !== identity.resourceId);
      const rest = left.length > 0 ? { retiredIdentities: left } : {};
      return { ...cluster, properties: { ...properties, ...rest } };
    });
  }
}

/** Returns the name of the federated credential for a service account. The names are the same as in Azure/ARO-RP. */
export function credentialName(clusterName: string, identityName: string, serviceAccount: string): string {
  const account = serviceAccount.split(":").at(-1) ?? "";
  const start = `${clusterName}_${account}`;
  const hash = createHash("sha224").update(`${start}-${account}-${identityName}`).digest("hex");
  const suffix = BigInt(`0x${hash}`).toString(36);
  return `${start.slice(0, longestName - suffix.length - 1)}_${suffix}`;
}

const longestName = 120;

/** Writes the credentials one at a time, because Azure rejects concurrent writes to the credentials of one identity. */
async function federate(
  context: ClusterContext,
  identity: OperatorIdentityWithRoles,
  issuer: string,
): Promise<void> {
  const { resourceGroup, name: identityName, roles } = identity;
  const azure = azureAsClusterIdentity(context);
  const { federatedIdentityCredentials } = azure.identities;
  const there = await Array.fromAsync(
    federatedIdentityCredentials.list(resourceGroup, identityName, azure.call(context.signal)),
  );
  const subjects = new Set(roles.flatMap(({ serviceAccounts }) => serviceAccounts));
  for (const subject of subjects) {
    const name = credentialName(context.cluster.name, identityName, subject);
    const same = there.some(
      (each) => each.name === name && each.subject === subject && isOwnCredential(each, issuer),
    );
    if (same) continue;
    await federatedIdentityCredentials.createOrUpdate(
      resourceGroup,
      identityName,
      name,
      { issuer, subject, audiences: [audience] },
      azure.call(context.signal),
    );
  }
}

async function removeCredentials(
  context: ClusterContext,
  { resourceGroup, name: identityName }: PlacedIdentity,
  issuer: string,
): Promise<void> {
  const azure = azureAsClusterIdentity(context);
  const { federatedIdentityCredentials } = azure.identities;
  const call = azure.call(context.signal);
  const there = await Array.fromAsync(federatedIdentityCredentials.list(resourceGroup, identityName, call));
  for (const credential of there) {
    if (!credential.name || !isOwnCredential(credential, issuer)) continue;
    await federatedIdentityCredentials.delete(resourceGroup, identityName, credential.name, call);
  }
}

export function isOwnCredential(
  credential: { readonly issuer?: string; readonly audiences?: readonly string[] },
  issuer: string,
): boolean {
  const { audiences = [] } = credential;
  return credential.issuer === issuer && audiences.length === 1 && audiences[0] === audience;
}

/**
 * Returns true if the action succeeds or the identity is missing. Logs any other failure and returns false. An abort of the
 * operation is rethrown.
 */
async function tolerating({ logger, signal }: ClusterContext, action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (isInterruption(error)) throw error;
    if (isNotFound(error)) return true;
    logger.warn({ reason: messageOf(error) }, "federated credentials are left behind");
    return false;
  }
}
