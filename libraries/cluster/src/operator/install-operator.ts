import {
  type CustomCloud,
  clusters,
  credentialsRequest,
  inCreationOrder,
  type Manifest,
  singleton,
  withImageVersion,
} from "@keelson/aro-api";
import { operatorManifests } from "@keelson/aro-api/manifests";
import { findAzureCloud } from "@keelson/azure";
import { objectAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { compareVersions, parseVersion, usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { applyManifests } from "./apply-manifests.ts";
import { clusterResource } from "./cluster-resource.ts";
import { operatorSecrets, ownPullSecretBackup } from "./operator-secrets.ts";

/** Installs the ARO operator: its manifests, and the Cluster resource that describes the cluster. */
export async function installAROOperator(context: ClusterContext): Promise<void> {
  await deploy(context, [{ resource: clusters, object: clusterResource(context) }]);
}

/**
 * Updates the operator. Creates a missing Cluster resource, but does not change an existing Cluster resource. The later step
 * `syncClusterObject` updates it.
 */
export async function ensureAROOperator(context: ClusterContext): Promise<void> {
  if (!knowsIngress(context)) {
    context.logger.error("the operator is not updated: the document has no ingress profile");
    return;
  }
  const live = await context.kube().find(clusters, singleton, context.signal);
  await deploy(context, live ? [] : [{ resource: clusters, object: clusterResource(context) }]);
}

/**
 * True if the document contains the cluster's ingresses. The ingresses are missing if the service could not read them from a
 * cluster with stopped machines. In this case, the operator is not changed.
 */
export function knowsIngress({ cluster }: ClusterContext): boolean {
  return cluster.properties.ingressProfiles.length > 0;
}

async function deploy(context: ClusterContext, cluster: readonly Manifest[]): Promise<void> {
  const secrets = operatorSecrets(context).map((object) => ({ resource: resources.secrets, object }));
  const own = operatorManifests({
    image: operatorImageOf(context),
    usesWorkloadIdentity: usesWorkloadIdentity(context.cluster),
    supportsPodSecurity: supportsPodSecurity(context),
    ...customCloud(context),
  });
  await applyManifests(context, inCreationOrder([...own, ...secrets, ...cluster]));
  await ownPullSecretBackup(context);
}

/**
 * Returns the operator image. If an administrator has pinned a version, the image has this version instead of the service's
 * version.
 */
export function operatorImageOf({ cluster, environment }: ClusterContext): string {
  const { operatorVersion } = cluster.properties;
  return operatorVersion
    ? withImageVersion(environment.operatorImage, operatorVersion)
    : environment.operatorImage;
}

function supportsPodSecurity({ cluster }: ClusterContext): boolean {
  const version = parseVersion(cluster.properties.clusterProfile.version);
  return version !== undefined && compareVersions(version, { major: 4, minor: 11, patch: 0 }) >= 0;
}

/**
 * Returns the Azure endpoints and the CA bundle that the operator uses in a custom cloud. Returns an empty object in Azure's own
 * clouds.
 */
function customCloud({ environment: { azure } }: ClusterContext): { readonly cloud?: CustomCloud } {
  if (findAzureCloud(azure.armEndpoint)) return {};
  const { armEndpoint, loginEndpoint, audience, graphEndpoint, caPem } = azure;
  const optional = {
    graphEndpoint,
    caPem,
  };
  return { cloud: { armEndpoint, loginEndpoint, audience, ...optional } };
}

/**
 * Updates the Cluster resource from the document. Removes operator flags that the document lacks. Does not change fields that
 * were set by other clients, for example the banner, annotations and fields of later versions.
 */
export async function syncClusterObject(context: ClusterContext): Promise<void> {
  const { kube, signal } = context;
  const wanted = clusterResource(context);
  const live = await kube().find(clusters, singleton, signal);
  const operatorflags = { ...absentFlags(live, wanted.spec?.operatorflags), ...wanted.spec?.operatorflags };
  await kube().ensure(clusters, { ...wanted, spec: { ...wanted.spec, operatorflags } }, signal);
}

/** Returns null for each flag that the Cluster resource has and `wanted` lacks. In a merge patch, null removes the flag. */
export function absentFlags(
  live: KubeObject | undefined,
  wanted: Readonly<Record<string, string>> = {},
): Readonly<Record<string, null>> {
  const present = Object.keys(objectAt(live, "spec", "operatorflags"));
  return Object.fromEntries(present.filter((name) => !(name in wanted)).map((name) => [name, null]));
}

/** Restores the operator's CredentialsRequest, from which the cluster creates the operator's credentials. */
export async function ensureCredentialsRequest({ kube, signal }: ClusterContext): Promise<void> {
  await kube().ensure(credentialsRequest.resource, credentialsRequest.object, signal);
}
