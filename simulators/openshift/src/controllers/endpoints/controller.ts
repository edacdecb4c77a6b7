import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { type Controller, done, keyOf, type Result, watch, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { endpointSliceOf, endpointsOf } from "./plan.ts";

const { endpoints: endpointsResource, endpointSlices, pods, services } = resources;

/** Creates Endpoints and EndpointSlices for Services with a selector. */
export const endpoints: Controller<WorkloadContext> = {
  name: "endpoints",
  watches: [
    watch(services),
    watch(endpointsResource),
    watchMapped(endpointSlices, (slice) => {
      const service = slice.metadata.labels?.["kubernetes.io/service-name"];
      return service ? [{ ...keyOf(slice), name: service }] : [];
    }),
    watchMapped(pods, servicesOf),
  ],
  reconcile,
};

/** Returns the Services that select a pod. */
function servicesOf(pod: KubeObject, context: WorkloadContext): readonly ObjectKey[] {
  const { labels = {} } = pod.metadata;
  return context
    .informer(services)
    .list(pod.metadata.namespace ?? "")
    .filter((service) => {
      const selector = Object.entries(stringMapAt(service, "spec", "selector"));
      return selector.length > 0 && selector.every(([name, value]) => labels[name] === value);
    })
    .map(keyOf);
}

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const service = context.informer(services).get(key);
  if (!service || service.metadata.deletionTimestamp !== undefined) {
    await removeEndpoints(key, context);
    return done;
  }
  const selector = Object.entries(stringMapAt(service, "spec", "selector"));
  if (selector.length === 0) return done;
  const selected = context
    .informer(pods)
    .list(service.metadata.namespace ?? "")
    .filter((pod) => selector.every(([name, value]) => pod.metadata.labels?.[name] === value));
  await ensure(endpointsResource, endpointsOf(service, selected), ["subsets"], context);
  await ensure(endpointSlices, endpointSliceOf(service, selected), ["endpoints", "ports"], context);
  return done;
}

async function ensure(
  resource: typeof endpointsResource,
  wanted: KubeObject,
  members: readonly string[],
  context: WorkloadContext,
): Promise<void> {
  const plain: KubeObject = JSON.parse(JSON.stringify(wanted));
  const present = context.informer(resource).get(wanted.metadata);
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

/**
 * Deletes the Endpoints of a Service. The garbage collector deletes only the EndpointSlices of the Service, because Endpoints
 * have no owner reference.
 */
async function removeEndpoints(key: ObjectKey, context: WorkloadContext): Promise<void> {
  const present = context.informer(endpointsResource).get(key);
  const ours = present?.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller";
  if (present && ours) await context.delete(endpointsResource, present);
}
