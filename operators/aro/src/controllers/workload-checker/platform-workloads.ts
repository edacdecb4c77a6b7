import { isDeepStrictEqual } from "node:util";
import type { Cache, Predicate, Strip } from "@keelson/controller";
import { type KubeObject, type KubeResource, resources, type Selection } from "@keelson/kube";
import { daemonSetFault } from "./daemon-set-fault.ts";
import { deploymentFault } from "./deployment-fault.ts";
import type { Fault } from "./fault.ts";
import { podFault } from "./pod-fault.ts";

/** Deployment, DaemonSet or pod of the platform. */
export interface Workload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly fault?: Fault;
}

/** Reduced object in the cache. It contains the name and, for a platform workload, the fault. */
interface Kept extends KubeObject {
  readonly fault?: Fault | undefined;
}

export interface WorkloadKind {
  readonly resource: KubeResource;
  readonly selection: Selection;
  readonly strip: Strip<KubeObject>;
}

/**
 * Watched kinds. The API server cannot select namespaces by prefix. Customer objects are therefore also read, but they are not
 * retained.
 */
export const workloadKinds: readonly WorkloadKind[] = [
  kind(resources.deployments, deploymentFault),
  kind(resources.daemonSets, daemonSetFault),
  // Terminated pods are excluded.
  kind(resources.pods, podFault, { fieldSelector: "status.phase!=Succeeded,status.phase!=Failed" }),
];

function kind(
  resource: KubeResource,
  faultOf: (object: KubeObject) => Fault | undefined,
  selection: Selection = {},
): WorkloadKind {
  const strip = ({ metadata, ...object }: KubeObject): Kept => {
    const { name, namespace, uid, resourceVersion } = metadata;
    const kept = { name, namespace, uid, resourceVersion } as KubeObject["metadata"];
    const { apiVersion, kind } = object;
    const whole = { ...object, apiVersion, kind, metadata };
    return { apiVersion, kind, metadata: kept, ...(isPlatform(namespace) ? { fault: faultOf(whole) } : {}) };
  };
  return { resource, selection, strip };
}

function isPlatform(namespace = ""): boolean {
  return namespace.startsWith("openshift-") || namespace === "kube-system";
}

/**
 * Selects changes in which a platform workload was added or deleted, or in which its fault began, changed or ended. Other status
 * changes are ignored.
 */
export const faultChanged: Predicate = ({ object, before, type }) =>
  isPlatform(object.metadata.namespace) &&
  (type !== "updated" || !isDeepStrictEqual((object as Kept).fault, (before as Kept).fault));

/** Returns the platform workloads, sorted by kind and name. */
export function platformWorkloads(cache: Cache): readonly Workload[] {
  return workloadKinds.flatMap(({ resource, selection, strip }) =>
    cache
      .informer(resource, { selection, strip })
      .list()
      .filter(({ metadata }) => isPlatform(metadata.namespace))
      .map((object) => {
        const { namespace = "", name } = object.metadata;
        const { fault } = object as Kept;
        return { kind: resource.kind, namespace, name, ...(fault ? { fault } : {}) };
      })
      .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
  );
}

export function idOf({ kind, namespace, name }: Workload): string {
  return `${kind} ${namespace}/${name}`;
}
