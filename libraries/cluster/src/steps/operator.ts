import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";
import { conditionOf, type KubeObject, listAt, numberAt, resources, textAt, valueAt } from "@keelson/kube";
import { usesWorkloadIdentity, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { domainOf } from "./cluster-facts.ts";
import type { Manifest } from "./manifest.ts";
import {
  credentialsRequest,
  operatorManifests,
  operatorNamespace,
  operatorRoles,
} from "./operator-manifests.ts";

const definitionPauseMs = 100;
const definitionLimitMs = 60_000;

/** Puts our operator into the cluster: what it runs as, and the Cluster resource that tells it about the cluster. */
export async function installAROOperator(context: ClusterContext): Promise<void> {
  await ensureManifests(context, manifestsOf(context));
}

/** Brings the operator itself up to date. The Cluster resource is only made where it is missing. */
export async function ensureAROOperator(context: ClusterContext): Promise<void> {
  const live = await context.kube().find(resources.aroClusters, clusterKey, context.signal);
  const all = manifestsOf(context);
  await ensureManifests(
    context,
    live ? all.filter(({ resource }) => resource !== resources.aroClusters) : all,
  );
}

/** Tells the operator what the document says now, its switches included. */
export async function syncClusterObject(context: ClusterContext): Promise<void> {
  const own = manifestsOf(context).filter(({ resource }) => resource === resources.aroClusters);
  await ensureManifests(context, own);
  await updateClusterOperatorFlags(context);
}

/** Sets the switches of the operator, and removes those that the document does not have. */
export async function updateClusterOperatorFlags(context: ClusterContext): Promise<void> {
  const live = await context.kube().get(resources.aroClusters, clusterKey, context.signal);
  const wanted = context.cluster.properties.operatorFlags ?? {};
  const present = valueAt(live, "spec", "operatorflags");
  if (isDeepStrictEqual(present, wanted)) return;
  const removed = Object.keys(isPlainObject(present) ? present : {}).filter((name) => !(name in wanted));
  const operatorflags = { ...Object.fromEntries(removed.map((name) => [name, null])), ...wanted };
  const patch = { spec: { operatorflags } };
  await context.kube().mergePatch(resources.aroClusters, clusterKey, patch, context.signal);
}

const forceFlag = "aro.forcereconciliation";

/** Lets the operator correct, while the install goes on, what it would only look at afterwards. */
export const enableOperatorReconciliation = setForceReconciliation("true");
export const disableOperatorReconciliation = setForceReconciliation("false");

function setForceReconciliation(value: "true" | "false") {
  return async ({ kube, signal }: ClusterContext): Promise<void> => {
    const spec = { operatorflags: { [forceFlag]: value } };
    await kube().mergePatch(resources.aroClusters, clusterKey, { spec }, signal);
  };
}

/** Brings back what the cluster needs to give the operator its credentials. */
export async function ensureCredentialsRequest({ cluster, kube, signal }: ClusterContext): Promise<void> {
  if (usesWorkloadIdentity(cluster)) return;
  await kube().ensure(credentialsRequest.resource, credentialsRequest.object, signal);
}

/**
 * Has the operator begin anew when its credentials are others than those it began with, which its Deployment notes:
 * it reads them only then. Of one that is not there, the condition that waits for it tells.
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

/** Lets the operator follow the service's own version again. */
export async function resetOperatorVersion({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { operatorVersion, ...properties } = cluster.properties;
    return operatorVersion === undefined ? cluster : { ...cluster, properties };
  });
}

export const loggingProfiles = ["max-logs", "reduced-logs", "minimal-logs"] as const;

/** Sets how much of the cluster's logs its operator sends. Names: Azure/ARO-RP pkg/operator/flags.go. */
export function setLoggingProfile(profile: (typeof loggingProfiles)[number]) {
  const flags = {
    "aro.genevalogging.enabled": "true",
    "aro.genevalogging.otel.profile": profile,
    "aro.genevalogging.otel.master.profile": profile,
    "aro.genevalogging.otel.worker.profile": profile,
  };
  return async ({ update }: ClusterContext): Promise<void> => {
    await update((cluster) => {
      const operatorFlags = { ...cluster.properties.operatorFlags, ...flags };
      const isSet = isDeepStrictEqual(operatorFlags, cluster.properties.operatorFlags);
      return isSet ? cluster : withProperties(cluster, { operatorFlags });
    });
  };
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

/** The service's own operator, unless an administrator holds the cluster to another version of it. */
function operatorImageOf({ cluster, environment }: ClusterContext): string {
  const image = environment.operatorImage ?? "keelson:latest";
  const { operatorVersion } = cluster.properties;
  return operatorVersion ? `${image.replace(/:[^:/]*$/, "")}:${operatorVersion}` : image;
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

export async function aroDeploymentReady(context: ClusterContext): Promise<boolean> {
  return (await operatorDeployments(context)).every(isRolledOut);
}

export async function ensureAROOperatorRunningDesiredVersion(context: ClusterContext): Promise<boolean> {
  const image = operatorImageOf(context);
  return (await operatorDeployments(context)).every((deployment) => {
    const containers = listAt(deployment, "spec", "template", "spec", "containers");
    return isRolledOut(deployment) && textAt(containers[0], "image") === image;
  });
}

function operatorDeployments({ kube, signal }: ClusterContext): Promise<readonly (KubeObject | undefined)[]> {
  return Promise.all(
    operatorRoles.map((role) => {
      const key = { namespace: operatorNamespace, name: `aro-operator-${role}` };
      return kube().find(resources.deployments, key, signal);
    }),
  );
}

/** `spec.replicas` defaults to one; counts that are zero are absent from a status (apps/v1 DeploymentStatus). */
export function isRolledOut(deployment: KubeObject | undefined): boolean {
  if (!deployment) return false;
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  return (
    numberAt(deployment, "status", "observedGeneration") === deployment.metadata.generation &&
    ["replicas", "updatedReplicas", "availableReplicas"].every(
      (member) => (numberAt(deployment, "status", member) ?? 0) === wanted,
    )
  );
}
