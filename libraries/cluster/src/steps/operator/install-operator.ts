import { conditionOf, type KubeObject, resources } from "@keelson/kube";
import { usesWorkloadIdentity } from "@keelson/model";
import type { ClusterContext } from "../../context.ts";
import { domainOf } from "../network/dns.ts";
import type { Manifest } from "./manifest.ts";
import { credentialsRequest, operatorManifests, operatorNamespace } from "./operator-manifests.ts";
import { updateClusterOperatorFlags } from "./operator-settings.ts";

const definitionPauseMs = 100;
const definitionLimitMs = 60_000;

/** Installs our operator: its manifests, and the Cluster resource that describes the cluster to it. */
export async function installAROOperator(context: ClusterContext): Promise<void> {
  await ensureManifests(context, manifestsOf(context));
}

/** Updates the operator. The Cluster resource is only created where it is missing. */
export async function ensureAROOperator(context: ClusterContext): Promise<void> {
  const live = await context.kube().find(resources.aroClusters, clusterKey, context.signal);
  const all = manifestsOf(context);
  await ensureManifests(
    context,
    live ? all.filter(({ resource }) => resource !== resources.aroClusters) : all,
  );
}

/** Updates the Cluster resource from the document, the operator's flags included. */
export async function syncClusterObject(context: ClusterContext): Promise<void> {
  const own = manifestsOf(context).filter(({ resource }) => resource === resources.aroClusters);
  await ensureManifests(context, own);
  await updateClusterOperatorFlags(context);
}

/** Restores the CredentialsRequest from which the cluster gives the operator its credentials. */
export async function ensureCredentialsRequest({ cluster, kube, signal }: ClusterContext): Promise<void> {
  if (usesWorkloadIdentity(cluster)) return;
  await kube().ensure(credentialsRequest.resource, credentialsRequest.object, signal);
}

/**
 * Restarts the operator when its credentials have changed since it started: it reads them only then. The Deployment is
 * annotated with their version. A missing Deployment is left to the condition that waits for it.
 */
export async function restartAROOperatorMaster({ kube, signal }: ClusterContext): Promise<void> {
  const credentials = { namespace: operatorNamespace, name: "azure-cloud-credentials" };
  const secret = await kube().find(resources.secrets, credentials, signal);
  const version = secret?.metadata.resourceVersion;
  if (version === undefined) return;
  const annotations = { "aro.openshift.io/credentials-version": version };
  const patch = { spec: { template: { metadata: { annotations } } } };
  const deployment = { namespace: operatorNamespace, name: "aro-operator-master" };
  if (!(await kube().find(resources.deployments, deployment, signal))) return;
  await kube().mergePatch(resources.deployments, deployment, patch, signal);
}

const clusterKey = { name: "cluster" };

function manifestsOf(context: ClusterContext): readonly Manifest[] {
  const { azure, network, registry } = context.environment;
  const { armEndpoint, loginEndpoint } = azure;
  return operatorManifests(context.cluster, {
    image: operatorImageOf(context),
    domain: domainOf(context).fullName,
    armEndpoint,
    loginEndpoint,
    network,
    ...(registry ? { registryDomain: registry.domain } : {}),
  });
}

/** The service's own version of the operator, unless an administrator has pinned the cluster to another. */
export function operatorImageOf({ cluster, environment }: ClusterContext): string {
  const { operatorImage } = environment;
  const { operatorVersion } = cluster.properties;
  return operatorVersion ? `${operatorImage.replace(/:[^:/]*$/, "")}:${operatorVersion}` : operatorImage;
}

async function ensureManifests(context: ClusterContext, manifests: readonly Manifest[]): Promise<void> {
  for (const { resource, object } of manifests) {
    await context.kube().ensure(resource, object, context.signal);
    if (resource === resources.customResourceDefinitions) await definitionServed(context, object);
  }
}

async function definitionServed(context: ClusterContext, { metadata: { name } }: KubeObject): Promise<void> {
  const deadlineMs = context.clock.monotonicMs() + definitionLimitMs;
  for (;;) {
    const live = await context.kube().find(resources.customResourceDefinitions, { name }, context.signal);
    if (conditionOf(live, "Established") === "True" && conditionOf(live, "NamesAccepted") === "True") return;
    if (context.clock.monotonicMs() > deadlineMs) throw new Error(`the definition ${name} is not served`);
    await context.clock.sleep(definitionPauseMs, context.signal);
  }
}
