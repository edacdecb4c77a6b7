import { createPrivateKey } from "node:crypto";
import { Secret } from "@keelson/base";
import { regionOf, usesWorkloadIdentity } from "@keelson/model";
import type { InstallContext } from "./install-context.ts";

/**
 * Returns the input files of installers by name (Azure/ARO-RP pkg/hive/install.go). These are the documents of the cluster and
 * its subscription, and the service principal, if any. Each file is a Secret, because it may contain decrypted data.
 */
export function installerDocuments(context: InstallContext): Readonly<Record<string, Secret>> {
  const { cluster } = context;
  // The installer requires the normalized region name and would reject "East US".
  const document = { ...cluster, location: regionOf(cluster) };
  return {
    "99_aro.json": new Secret(JSON.stringify(inTheClear(document))),
    "99_sub.json": new Secret(JSON.stringify(withTenant(context))),
    ...(usesWorkloadIdentity(cluster) ? {} : { "osServicePrincipal.json": clusterServicePrincipal(context) }),
  };
}

/**
 * Returns the subscription with its tenant. Azure Resource Manager may omit the tenant, and ARO's installer panics without it.
 */
function withTenant({ subscription: { subscription }, tenantId }: InstallContext) {
  return { ...subscription, properties: { ...subscription.properties, tenantId } };
}

/** Returns the service principal in the JSON format of `osServicePrincipal.json`, which all OpenShift tools read. */
export function clusterServicePrincipal(context: InstallContext): Secret {
  const { tenantId, clientId, clientSecret } = context.servicePrincipal();
  const subscriptionId = context.subscription.id;
  return new Secret(
    JSON.stringify({ subscriptionId, clientId, clientSecret: clientSecret.reveal(), tenantId }),
  );
}

/** Fields of Keelson's documents that installers do not need. */
const ownMembers: ReadonlySet<string> = new Set([
  "installState",
  "installGraphKey",
  "clusterIdentityCredentials",
]);

/** Fields that installers decode from base64 to bytes. */
const byteMembers: ReadonlySet<string> = new Set([
  "adminKubeconfig",
  "aroServiceKubeconfig",
  "aroSREKubeconfig",
  "userAdminKubeconfig",
]);

function inTheClear(value: unknown, name = ""): unknown {
  if (value instanceof Secret) {
    if (name === "sshKey") return pkcs1(value).toString("base64");
    return byteMembers.has(name) ? Buffer.from(value.reveal()).toString("base64") : value.reveal();
  }
  if (Array.isArray(value)) return value.map((each) => inTheClear(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => !ownMembers.has(member))
      .map(([member, each]) => [member, inTheClear(each, member)]),
  );
}

function pkcs1(key: Secret): Buffer {
  return createPrivateKey(key.reveal()).export({ type: "pkcs1", format: "der" });
}
