import { messageOf, stringAt } from "@keelson/base";
import { type KubeObject, objectFields, resources } from "@keelson/kube";
import { infraIdOf, managedGroupOf, regionOf } from "@keelson/model";
import { parse, stringify } from "yaml";
import type { ClusterContext } from "../context/context.ts";
import { versionsOf } from "../context/versions-of.ts";
import { servicePrincipalOf } from "./service-principal.ts";

/** Returns the Secret with which the cluster's operators sign in to Azure. */
export function azureCredentials(context: ClusterContext): KubeObject {
  const { cluster, subscription } = context;
  const { tenantId, clientId, clientSecret } = servicePrincipalOf(context);
  const texts = {
    azure_client_id: clientId,
    azure_client_secret: clientSecret.reveal(),
    azure_tenant_id: tenantId,
    azure_subscription_id: subscription.id,
    azure_resourcegroup: managedGroupOf(cluster),
    azure_region: regionOf(cluster),
    azure_resource_prefix: infraIdOf(cluster),
  };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "azure-credentials", namespace: "kube-system" },
    type: "Opaque",
    data: Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
    ),
  };
}

const credentialNamespace = "openshift-cloud-credential-operator";

/**
 * Updates the Secret that contains the cluster's Azure credentials. Restarts the operator that copies these credentials to other
 * operators.
 */
export async function updateOpenShiftSecret(context: ClusterContext): Promise<void> {
  const { kube, signal, logger } = context;
  const outcome = await kube().ensure(resources.secrets, azureCredentials(context), signal);
  if (outcome === "unchanged") return;
  const labelSelector = "app=cloud-credential-operator";
  const selection = { namespace: credentialNamespace, labelSelector, fields: objectFields({}) };
  try {
    const { items } = await kube().list(resources.pods, selection, signal);
    for (const { metadata } of items) {
      await kube().delete(resources.pods, { namespace: credentialNamespace, name: metadata.name }, signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    // A failed restart does not fail the step, because the operator later detects the new Secret without a restart.
    logger.warn({ reason: messageOf(error) }, "the operator for credentials was not restarted");
  }
}

const cloudProvider = { namespace: "kube-system", name: "azure-cloud-provider" };
const recentMs = 5 * 60_000;

const ownRequest = { namespace: credentialNamespace, name: "openshift-azure-operator" };

/** Returns a progress token that changes whenever the operator's CredentialsRequest changes. */
export async function aroCredentialsRequestProgress({ kube, signal }: ClusterContext): Promise<string> {
  return versionsOf([await kube().find(resources.credentialsRequests, ownRequest, signal)]);
}

/**
 * True after the cloud credential operator has renewed the ARO operator's credentials. Immediately true if the cluster's
 * principal has not changed.
 */
export async function aroCredentialsRequestReconciled(context: ClusterContext): Promise<boolean> {
  if (!(await changedCloudConfig(context))) return true;
  const { kube, clock, signal } = context;
  const request = await kube().find(resources.credentialsRequests, ownRequest, signal);
  const syncedAt = Date.parse(stringAt(request, "status", "lastSyncTimestamp") ?? "");
  return clock.now().getTime() - syncedAt < recentMs;
}

/**
 * Updates the principal in the Secret that contains the cloud provider's configuration. Then redeploys the components that read
 * the configuration only at startup. Does nothing on clusters without this Secret.
 */
export async function updateAROSecret(context: ClusterContext): Promise<void> {
  const { kube, clock, signal, logger } = context;
  const config = await changedCloudConfig(context);
  if (config === undefined) return;
  const data = { "cloud-config": Buffer.from(config).toString("base64") };
  await kube().mergePatch(resources.secrets, cloudProvider, { data }, signal);
  const spec = { forceRedeploymentReason: `Credential rotation ${clock.now().toISOString()}` };
  for (const resource of [resources.kubeApiServers, resources.kubeControllerManagers]) {
    try {
      await kube().mergePatch(resource, { name: "cluster" }, { spec }, signal);
    } catch (error) {
      signal.throwIfAborted();
      // The step does not fail, because a retry would not redeploy the component: the Secret is already up to date.
      logger.warn({ resource: resource.plural, reason: messageOf(error) }, "no redeployment was forced");
    }
  }
}

/**
 * Returns the cloud provider configuration with the cluster's current principal. Undefined if the configuration is already up to
 * date or if the service does not manage it.
 */
async function changedCloudConfig(context: ClusterContext): Promise<string | undefined> {
  const secret = await context.kube().find(resources.secrets, cloudProvider, context.signal);
  const text = Buffer.from(stringAt(secret, "data", "cloud-config") ?? "", "base64").toString("utf8");
  const config: unknown = text === "" ? undefined : parse(text);
  if (typeof config !== "object" || config === null) return undefined;
  const { clientId, clientSecret } = servicePrincipalOf(context);
  const wanted = { aadClientId: clientId, aadClientSecret: clientSecret.reveal() };
  const changes = Object.entries(wanted).filter(
    ([member, value]) => member in config && Reflect.get(config, member) !== value,
  );
  return changes.length === 0 ? undefined : stringify({ ...config, ...Object.fromEntries(changes) });
}
