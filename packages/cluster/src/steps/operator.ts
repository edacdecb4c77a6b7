import { type KubeObject, resources } from "@keelson/kube";
import type { ClusterContext } from "../context.ts";
import { conditionOf, numberAt } from "../kube-fields.ts";
import { domainOf } from "./cluster-facts.ts";
import { operatorManifests, operatorNamespace, operatorRoles } from "./operator-manifests.ts";

const definitionPauseMs = 100;
const definitionLimitMs = 60_000;

/** Puts our operator into the cluster: what it runs as, and the Cluster resource that tells it about the cluster. */
export async function installAROOperator(context: ClusterContext): Promise<void> {
  const { cluster, environment, signal } = context;
  const { armEndpoint, loginEndpoint } = environment.azure;
  const options = {
    image: environment.operatorImage ?? "keelson:latest",
    domain: domainOf(context).fullName,
    armEndpoint,
    loginEndpoint,
  };
  for (const { resource, object } of operatorManifests(cluster, options)) {
    await context.kube().ensure(resource, object, signal);
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

export async function aroDeploymentReady({ kube, signal }: ClusterContext): Promise<boolean> {
  const deployments = await Promise.all(
    operatorRoles.map((role) => {
      const key = { namespace: operatorNamespace, name: `aro-operator-${role}` };
      return kube().find(resources.deployments, key, signal);
    }),
  );
  return deployments.every(isRolledOut);
}

function isRolledOut(deployment: KubeObject | undefined): boolean {
  const wanted = numberAt(deployment, "spec", "replicas");
  return (
    wanted !== undefined &&
    numberAt(deployment, "status", "observedGeneration") === deployment?.metadata.generation &&
    ["replicas", "updatedReplicas", "availableReplicas"].every(
      (member) => numberAt(deployment, "status", member) === wanted,
    )
  );
}
