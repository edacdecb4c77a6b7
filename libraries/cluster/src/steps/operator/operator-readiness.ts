import { type KubeObject, listAt, numberAt, resources, textAt } from "@keelson/kube";
import type { ClusterContext } from "../../context.ts";
import { operatorImageOf } from "./install-operator.ts";
import { operatorNamespace, operatorRoles } from "./operator-manifests.ts";

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
