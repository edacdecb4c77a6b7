import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { textsAt } from "../../runtime/fields.ts";
import { hasReason } from "../../runtime/status-reason.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { endpointSliceOf, endpointsOf } from "./plan.ts";

const { endpoints: endpointsResource, endpointSlices, pods, services } = workloadResources;

/** Endpoints and EndpointSlices of Services with a selector. */
export const endpoints: WorkloadController = {
  name: "endpoints",
  watches: [
    { resource: services, keys: (service) => [keyOf(service)] },
    { resource: endpointsResource, keys: (each) => [keyOf(each)] },
    {
      resource: endpointSlices,
      keys: ({ metadata }) => {
        const service = metadata.labels?.["kubernetes.io/service-name"];
        return service ? [`${metadata.namespace}/${service}`] : [];
      },
    },
    { resource: pods, keys: servicesOf },
  ],
  reconcile,
};

/** The services that select a pod by what its labels are, or were. */
function servicesOf(
  pod: KubeObject,
  context: WorkloadContext,
  before: KubeObject | undefined,
): readonly string[] {
  const labels = [pod.metadata.labels ?? {}, before?.metadata.labels ?? {}];
  return context
    .cache(services)
    .by("namespace", pod.metadata.namespace ?? "")
    .filter((service) => {
      const selector = Object.entries(textsAt(service, "spec", "selector"));
      return (
        selector.length > 0 && labels.some((each) => selector.every(([name, value]) => each[name] === value))
      );
    })
    .map(keyOf);
}

async function reconcile(key: string, context: WorkloadContext): Promise<Outcome> {
  const service = context.cache(services).get(parseKey(key));
  if (!service || service.metadata.deletionTimestamp !== undefined) {
    await removeEndpoints(key, context);
    return settled;
  }
  const selector = Object.entries(textsAt(service, "spec", "selector"));
  if (selector.length === 0) return settled;
  const selected = context
    .cache(pods)
    .by("namespace", service.metadata.namespace ?? "")
    .filter((pod) => selector.every(([name, value]) => pod.metadata.labels?.[name] === value));
  await ensure(endpointsResource, endpointsOf(service, selected), ["subsets"], context);
  await ensure(endpointSlices, endpointSliceOf(service, selected), ["endpoints", "ports"], context);
  return settled;
}

async function ensure(
  resource: typeof endpointsResource,
  wanted: KubeObject,
  members: readonly string[],
  context: WorkloadContext,
): Promise<void> {
  const plain: KubeObject = JSON.parse(JSON.stringify(wanted));
  const present = context.cache(resource).get(wanted.metadata);
  if (!present) {
    try {
      await context.create(resource, plain);
    } catch (error) {
      if (!hasReason(error, "AlreadyExists")) throw error;
    }
    return;
  }
  if (members.every((member) => isDeepStrictEqual(present[member] ?? [], plain[member] ?? []))) return;
  await context.update(resource, {
    ...present,
    ...Object.fromEntries(members.map((member) => [member, plain[member]])),
  });
}

/** Endpoints have no owner: they go by their Service's name. Slices go with their owner. */
async function removeEndpoints(key: string, context: WorkloadContext): Promise<void> {
  const present = context.cache(endpointsResource).get(parseKey(key));
  const ours = present?.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller";
  if (present && ours) await context.delete(endpointsResource, present);
}
