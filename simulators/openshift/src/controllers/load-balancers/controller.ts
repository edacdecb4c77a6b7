import type { KubeObject } from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import { type Controller, done, hasFinalizer, type Result, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { addressOf, chooseAddress, wantsLoadBalancer } from "./addresses.ts";

const { services: resource } = resources;
/** Finalizer of Services with a load balancer (K/cloud-provider controllers/service). */
const finalizer = "service.kubernetes.io/load-balancer-cleanup";

/**
 * Simulates the cloud controller for Services of type LoadBalancer. All Services share one key, so address assignments never run
 * concurrently.
 */
export const loadBalancers: Controller<WorkloadContext> = {
  name: "load-balancers",
  watches: [
    watchFor(
      resource,
      { name: "addresses" },
      { where: ({ object, before }) => isConcerned(object) || (before !== undefined && isConcerned(before)) },
    ),
  ],
  reconcile,
};

async function reconcile(_key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const services = context.informer(resource).list();
  const wanting = services.filter(wantsLoadBalancer).toSorted(byAge);
  for (const service of services)
    if (hasFinalizer(service, finalizer) && !wantsLoadBalancer(service)) await release(service, context);
  const owners = new Map<string, KubeObject>();
  for (const service of wanting) {
    const address = addressOf(service);
    if (address !== undefined && !owners.has(address)) owners.set(address, service);
  }
  for (const service of wanting) {
    const before = addressOf(service);
    if (before !== undefined && owners.get(before) === service) owners.delete(before);
    const address = chooseAddress(service, owners);
    if (address !== undefined) owners.set(address, service);
    await provide(service, address, context);
  }
  return done;
}

function isConcerned(service: KubeObject): boolean {
  return wantsLoadBalancer(service) || hasFinalizer(service, finalizer);
}

async function provide(service: KubeObject, ip: string | undefined, context: WorkloadContext): Promise<void> {
  const { finalizers = [] } = service.metadata;
  const held = hasFinalizer(service, finalizer)
    ? service
    : await context.update(resource, {
        ...service,
        metadata: { ...service.metadata, finalizers: [...finalizers, finalizer] },
      });
  const loadBalancer = ip === undefined ? {} : { ingress: [{ ip, ipMode: "VIP" }] };
  await writeStatus(context, resource, held, { ...objectAt(held, "status"), loadBalancer });
}

async function release(service: KubeObject, context: WorkloadContext): Promise<void> {
  try {
    const cleared = await writeStatus(context, resource, service, {
      ...objectAt(service, "status"),
      loadBalancer: {},
    });
    const finalizers = (cleared.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    await context.update(resource, { ...cleared, metadata: { ...cleared.metadata, finalizers } });
  } catch (error) {
    if (!hasReason(error, "NotFound")) throw error;
  }
}

function byAge(a: KubeObject, b: KubeObject): number {
  const ages = [a, b].map(({ metadata }) => `${metadata.creationTimestamp} ${metadata.uid}`);
  return (ages[0] ?? "") < (ages[1] ?? "") ? -1 : 1;
}
