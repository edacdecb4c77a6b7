import {
  imageVersion,
  operatorNameOf,
  operatorNamespace,
  operatorRoles,
  versionLabel,
} from "@keelson/aro-api";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import { versionsOf } from "../context/versions-of.ts";
import { knowsIngress, operatorImageOf } from "./install-operator.ts";

export async function aroDeploymentReady(context: ClusterContext): Promise<boolean> {
  if (!knowsIngress(context)) return true;
  return (await operatorDeployments(context)).every(isRolledOut);
}

/** Returns a progress token. It changes when the operator's Deployments or pods change, or when their containers restart. */
export async function aroDeploymentProgress(context: ClusterContext): Promise<string> {
  const pods = await operatorPods(context);
  return versionsOf([...(await operatorDeployments(context)), ...pods.flat()]);
}

/**
 * True after both Deployments of the operator and their pods have the image version that the service or an administrator selects.
 */
export async function ensureAROOperatorRunningDesiredVersion(context: ClusterContext): Promise<boolean> {
  if (!knowsIngress(context)) return true;
  const image = operatorImageOf(context);
  const deployments = await operatorDeployments(context);
  if (!deployments.every((each) => each?.metadata.labels?.version === versionLabel(image))) return false;
  const pods = await operatorPods(context);
  return deployments.every(
    (deployment, index) =>
      isRolledOut(deployment) && runVersion(deployment, pods[index] ?? [], imageVersion(image)),
  );
}

/**
 * True if all running pods of the Deployment have the given version. Terminated and terminating pods do not count. The result is
 * also true for a Deployment with zero replicas.
 */
function runVersion(
  deployment: KubeObject | undefined,
  pods: readonly KubeObject[],
  version: string,
): boolean {
  const running = pods.filter(
    ({ metadata, ...pod }) =>
      metadata.deletionTimestamp === undefined && stringAt(pod, "status", "phase") === "Running",
  );
  if (running.length === 0) return numberAt(deployment, "spec", "replicas") === 0;
  return running.every((pod) => {
    const [container] = listAt(pod, "spec", "containers");
    return imageVersion(stringAt(container, "image") ?? "") === version;
  });
}

function operatorPods({ kube, signal }: ClusterContext): Promise<readonly (readonly KubeObject[])[]> {
  return Promise.all(
    operatorRoles.map(async (role) => {
      const selection = { namespace: operatorNamespace, labelSelector: `app=${operatorNameOf(role)}` };
      return (await kube().list(resources.pods, selection, signal)).items;
    }),
  );
}

function operatorDeployments({ kube, signal }: ClusterContext): Promise<readonly (KubeObject | undefined)[]> {
  return Promise.all(
    operatorRoles.map((role) => {
      const key = { namespace: operatorNamespace, name: operatorNameOf(role) };
      return kube().find(resources.deployments, key, signal);
    }),
  );
}

/** True if the rollout is complete. `spec.replicas` defaults to 1. The status omits zero counts (apps/v1 DeploymentStatus). */
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
