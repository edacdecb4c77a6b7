import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt } from "@keelson/base";
import {
  type Condition,
  type Controller,
  done,
  keyOf,
  type ReconcileScope,
  type Result,
  watch,
  watchMapped,
} from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { aggregatePause } from "../../base/aggregate-pause.ts";
import { withConditions } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { nodeReadinessChanged } from "../../base/node-changes.ts";
import { ensureDeleted, ensureObject, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import {
  owningController,
  routerNamespace,
  routerServices,
  scopeOf,
  serviceNamesOf,
  withAddress,
} from "./router-services.ts";

const controllerNamespace = "openshift-ingress-operator";

/** Simulates the ingress operator. Its routers run on the workers. */
export const ingressOperator: Controller<Cluster> = {
  name: "ingress",
  watches: [
    watch(resources.ingressControllers),
    watchMapped(
      resources.nodes,
      (_node, { cache }: Cluster) => cache.informer(resources.ingressControllers).list().map(keyOf),
      { where: nodeReadinessChanged },
    ),
    watchMapped(resources.services, keysOfRouterService),
  ],
  reconcile: reconcileIngress,
};

function keysOfRouterService({ metadata }: KubeObject): readonly ObjectKey[] {
  const owner = metadata.namespace === routerNamespace ? metadata.labels?.[owningController] : undefined;
  return owner === undefined ? [] : [{ namespace: controllerNamespace, name: owner }];
}

async function reconcileIngress(
  key: ObjectKey,
  { client, cache, settings, clock }: Cluster,
  { signal }: Pick<ReconcileScope, "signal">,
): Promise<Result> {
  const controller = await client.find(resources.ingressControllers, key);
  if (!controller || controller.metadata.deletionTimestamp) {
    await deleteServices(client, key.name);
    return done;
  }
  const published = await ensureServices(client, controller);
  const nodes = cache.informer(resources.nodes).list();
  const workers = nodes.filter(
    (node) =>
      "node-role.kubernetes.io/worker" in stringMapAt(node, "metadata", "labels") &&
      conditionStatus(node, "Ready") === "True",
  );
  const scope = scopeOf(controller, published);
  const status = ingressStatus(
    controller,
    { readyWorkers: workers.length, scope, defaultDomain: `apps.${settings.domain}` },
    clock.now(),
  );
  await writeStatus(client, resources.ingressControllers, controller, status);
  await aggregatePause(clock, nodes.length, signal);
  return done;
}

/** Creates missing Services and returns the load balancer Service. */
async function ensureServices(
  client: ClusterClient,
  controller: KubeObject,
): Promise<KubeObject | undefined> {
  const present = await Promise.all(
    serviceNamesOf(controller.metadata.name).map((name) =>
      client.find(resources.services, { namespace: routerNamespace, name }),
    ),
  );
  const names = new Set(present.map((each) => each?.metadata.name));
  const missing = routerServices(controller).filter(({ metadata }) => !names.has(metadata.name));
  if (missing.length === 0) return present[0];
  const address = await settledAddress(client, controller);
  for (const each of missing)
    await ensureObject(client, resources.services, address === undefined ? each : withAddress(each, address));
  const [name = ""] = serviceNamesOf(controller.metadata.name);
  return client.find(resources.services, { namespace: routerNamespace, name });
}

/**
 * Returns the ingress address in the spec of the ARO Cluster. The cluster's DNS records point to this address, so a router
 * Service that is created later must receive it.
 */
async function settledAddress(client: ClusterClient, controller: KubeObject): Promise<string | undefined> {
  if (controller.metadata.name !== "default") return undefined;
  try {
    const cluster = await client.find(resources.aroClusters, { name: "cluster" });
    return stringAt(cluster, "spec", "ingressIP") || undefined;
  } catch (error) {
    // The ARO Cluster's CRD does not exist yet. The ARO operator installs it later.
    if (hasReason(error, "NotFound")) return undefined;
    throw error;
  }
}

async function deleteServices(client: ClusterClient, controllerName: string): Promise<void> {
  for (const name of serviceNamesOf(controllerName))
    await ensureDeleted(client, resources.services, { namespace: routerNamespace, name });
}

interface RouterFacts {
  readonly readyWorkers: number;
  readonly scope: "External" | "Internal";
  readonly defaultDomain: string;
}

/**
 * Returns the status of an ingress controller. Each router needs a separate worker, so the number of ready workers limits the
 * available replicas.
 */
function ingressStatus(
  controller: KubeObject,
  { readyWorkers, scope, defaultDomain }: RouterFacts,
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
    ...objectAt(controller, "status"),
    availableReplicas: available,
    conditions: withConditions(controller, conditions, now),
    domain: stringAt(controller, "spec", "domain") ?? defaultDomain,
    endpointPublishingStrategy: publishingStrategy(controller, scope),
    observedGeneration: controller.metadata.generation ?? 1,
    selector: `ingresscontroller.operator.openshift.io/deployment-ingresscontroller=${controller.metadata.name}`,
  };
}

/** Returns the publishing strategy with all default fields. */
function publishingStrategy(
  controller: KubeObject,
  scope: "External" | "Internal",
): Readonly<Record<string, unknown>> {
  const asked = objectAt(controller, "spec", "endpointPublishingStrategy");
  const type = stringAt(asked, "type") ?? "LoadBalancerService";
  if (type !== "LoadBalancerService") return { ...asked, type };
  const loadBalancer = { dnsManagementPolicy: "Managed", ...objectAt(asked, "loadBalancer"), scope };
  return { type, loadBalancer };
}
