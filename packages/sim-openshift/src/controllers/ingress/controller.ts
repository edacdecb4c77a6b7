import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Condition, conditionStatus, withConditions } from "../../runtime/conditions.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { numberAt, recordAt, textAt, textsAt } from "../../runtime/fields.ts";
import { writeStatus } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import type { Outcome } from "../../runtime/work-queue.ts";

/** The ingress operator: routers that run on the workers. */
export const ingressOperator: Controller = {
  name: "ingress",
  watches: [
    { on: "objects", resource: resources.ingressControllers, keys: (controller) => [keyOf(controller)] },
    {
      on: "objects",
      resource: resources.nodes,
      keys: async (_node, { client }: Cluster) =>
        (await client.list(resources.ingressControllers)).items.map(keyOf),
    },
  ],
  reconcile: reconcileIngress,
};

async function reconcileIngress(key: string, { client, settings, clock }: Cluster): Promise<Outcome> {
  const controller = await client.find(resources.ingressControllers, parseKey(key));
  if (!controller) return settled;
  const workers = (await client.list(resources.nodes)).items.filter(
    (node) =>
      "node-role.kubernetes.io/worker" in textsAt(node, "metadata", "labels") &&
      conditionStatus(node, "Ready") === "True",
  );
  const status = ingressStatus(controller, workers.length, `apps.${settings.domain}`, clock.now());
  await writeStatus(client, resources.ingressControllers, controller, status);
  return settled;
}

/** Routers spread over workers, one on each, so there are never more of them than ready workers. */
export function ingressStatus(
  controller: KubeObject,
  readyWorkers: number,
  defaultDomain: string,
  now: Date,
): Record<string, unknown> {
  const wanted = numberAt(controller, "spec", "replicas") ?? 2;
  const available = Math.min(wanted, readyWorkers);
  const condition = (type: string, holds: boolean, reason: string): Condition => ({
    type,
    status: holds ? "True" : "False",
    reason,
    message: `${available} of ${wanted} routers are available`,
  });
  const serving = available > 0 || wanted === 0;
  const conditions = [
    condition("Admitted", true, "Valid"),
    condition("Available", serving, serving ? "AsExpected" : "IngressControllerUnavailable"),
    condition("Progressing", available < wanted, available < wanted ? "DeploymentRollingOut" : "AsExpected"),
    condition("Degraded", false, "AsExpected"),
    condition("Upgradeable", true, "Upgradeable"),
  ];
  return {
    ...recordAt(controller, "status"),
    availableReplicas: available,
    conditions: withConditions(controller, conditions, now),
    domain: textAt(controller, "spec", "domain") ?? defaultDomain,
    endpointPublishingStrategy: {
      type: "LoadBalancerService",
      loadBalancer: { dnsManagementPolicy: "Managed", scope: "External" },
    },
    observedGeneration: controller.metadata.generation ?? 1,
    selector: `ingresscontroller.operator.openshift.io/deployment-ingresscontroller=${controller.metadata.name}`,
  };
}
