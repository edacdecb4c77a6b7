import type { ClusterClient, KubeObject as ServedObject } from "@keelson/apiserver";
import { type Clock, type Logger, objectAt } from "@keelson/base";
import { Cache, metadataOnly, withoutManagedFields } from "@keelson/controller";
import type { KubeObject, KubeResource } from "@keelson/kube";
import { resources } from "../base/resources.ts";
import { inProcessApi } from "./in-process-api.ts";
import { withSharedParts } from "./shared-pod-parts.ts";

/**
 * Resources that are cached as complete objects. Workload controllers and kubelets read these objects from memory. Some other
 * controllers need an object's spec to find the keys that a change affects.
 */
const whole: ReadonlySet<KubeResource> = new Set([
  resources.controllerRevisions,
  resources.credentialsRequests,
  resources.cronJobs,
  resources.daemonSets,
  resources.deployments,
  resources.disruptionBudgets,
  resources.endpointSlices,
  resources.endpoints,
  resources.horizontalPodAutoscalers,
  resources.jobs,
  resources.nodes,
  resources.persistentVolumeClaims,
  resources.persistentVolumes,
  resources.proxies,
  resources.replicaSets,
  resources.routes,
  resources.services,
  resources.statefulSets,
]);

export interface RunningCache extends AsyncDisposable {
  readonly cache: Cache;
}

/**
 * Starts the cache of a simulated cluster. Each informer starts on first use. Most informers cache only metadata because reads
 * from the in-process store are fast and never stale.
 */
export function startClusterCache(
  client: ClusterClient,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): RunningCache {
  const cache = new Cache({ api: inProcessApi(client), strip: stripOf, clock, logger });
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  return {
    cache,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function stripOf(resource: KubeResource) {
  if (whole.has(resource)) return withoutManagedFields;
  switch (resource) {
    case resources.clusterOperators:
      return withFieldManagers;
    case resources.pods:
      return withSharedParts;
    case resources.machines:
      return withMachineState;
    case resources.namespaces:
    case resources.serviceAccounts:
      return keyOnly;
    default:
      return metadataOnly;
  }
}

/**
 * Removes the managed fields of an object but keeps the names of the field managers. The names identify the operator that wrote
 * the object.
 */
function withFieldManagers({ apiVersion, kind, metadata }: ServedObject): KubeObject {
  const managedFields = metadata.managedFields?.map(({ fieldsV1: _, ...entry }) => entry);
  return { apiVersion, kind, metadata: { ...metadata, ...(managedFields && { managedFields }) } };
}

/** Keeps the metadata of a Machine, and the status fields that MachineSets and health checks aggregate. */
function withMachineState(machine: ServedObject): KubeObject {
  const { phase, nodeRef, lastUpdated } = objectAt(machine, "status");
  return { ...metadataOnly(machine), status: { phase, nodeRef, lastUpdated } };
}

/** Reduces an object to its key. Used for resources with hundreds of objects per cluster. */
function keyOnly({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  const of = {
    ...(namespace && { namespace }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
  return { apiVersion, kind, metadata: { name, ...of } };
}
