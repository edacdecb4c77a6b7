import { createHash, createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { Secret } from "@keelson/base";
import { type ClusterProfile, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { managedIdentitiesOf } from "./cluster-identity.ts";

const discoveryPath = ".well-known/openid-configuration";
const keysPath = "openid/v1/jwks";

/**
 * Generates the signing key for the cluster's service account tokens, unless it already exists. Stores the key and then publishes
 * its public key at the cluster's issuer.
 */
export async function createOIDC(context: ClusterContext): Promise<void> {
  const { oidcIssuer } = managedIdentitiesOf(context);
  const key = await signingKey(context, oidcIssuer.keyBits);
  const name = issuerName(context);
  const issuer = oidcIssuer.urlOf(name);
  const documents = { [discoveryPath]: discoveryDocument(issuer), [keysPath]: keySet(key) };
  await oidcIssuer.publish(name, documents, context.connection, context.signal);
  await updateProfile(context, { oidcIssuer: issuer });
}

/** Deletes the published documents. Azure then rejects tokens of the cluster. */
export async function deleteOIDC(context: ClusterContext): Promise<void> {
  const { connection, signal } = context;
  const { oidcIssuer } = managedIdentitiesOf(context);
  await oidcIssuer.remove(issuerName(context), [discoveryPath, keysPath], connection, signal);
}

/** Returns the issuer that `createOIDC` has stored. */
export function oidcIssuerOf({ cluster }: ClusterContext): string {
  const { oidcIssuer } = cluster.properties.clusterProfile;
  if (!oidcIssuer) throw new Error("the cluster has no issuer of tokens yet");
  return oidcIssuer;
}

function issuerName({ environment, subscription, documentId }: ClusterContext): string {
  return `${environment.tenantIdOf(subscription)}/${documentId}`;
}

/** Returns an RSA private key in PKCS#1 PEM. */
async function signingKey(context: ClusterContext, modulusLength: number): Promise<Secret> {
  const stored = context.cluster.properties.clusterProfile.boundServiceAccountSigningKey;
  if (stored) return stored;
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const boundServiceAccountSigningKey = new Secret(privateKey);
  await updateProfile(context, { boundServiceAccountSigningKey });
  return boundServiceAccountSigningKey;
}

async function updateProfile({ update }: ClusterContext, change: Partial<ClusterProfile>): Promise<void> {
  await update((cluster) =>
    withProperties(cluster, { clusterProfile: { ...cluster.properties.clusterProfile, ...change } }),
  );
}

function discoveryDocument(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}/${keysPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: ["aud", "exp", "sub", "iat", "iss", "sub"],
  };
}

/**
 * Returns the public key set (JWKS). The key ID is computed as in the API server, because the API server writes the same ID into
 * its tokens.
 */
function keySet(privateKey: Secret): object {
  const key = createPublicKey(privateKey.reveal());
  const der = key.export({ type: "spki", format: "der" });
  const kid = createHash("sha256").update(der).digest("base64url");
  return { keys: [{ ...key.export({ format: "jwk" }), use: "sig", kid, alg: "RS256" }] };
}
