import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

/** Allow list entry of an image. Pods of this owner run as real processes. */
export interface ProcessOwner {
  readonly namespace: string | RegExp;
  /** Kind of the topmost owner, for example `Deployment`. `Pod` for a pod without an owner. */
  readonly kind: string | RegExp;
  readonly name: string | RegExp;
  /** Programs that these pods may run. `ProcessImage.admit` returns these names. */
  readonly programs: readonly string[];
}

/** Topmost owner of a pod. */
export interface PodOwner {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** Resources of owners by API group and kind. Pods of other kinds never run as processes. */
const kinds: Readonly<Record<string, ResourceRef>> = {
  ConfigMap: resources.configMaps,
  "apps/DaemonSet": resources.daemonSets,
  "apps/Deployment": resources.deployments,
  "apps/ReplicaSet": resources.replicaSets,
  "apps/StatefulSet": resources.statefulSets,
  "batch/CronJob": resources.cronJobs,
  "batch/Job": resources.jobs,
};

/**
 * Kinds of objects that controllers create for a workload. If a pod's owner has one of these kinds, the search continues with the
 * owner of this object. An owner of any other kind is the topmost owner.
 */
const intermediate: ReadonlySet<string> = new Set(["ReplicaSet", "Job"]);

/**
 * Returns the topmost owner of a pod. Each owner must exist and have the UID in the reference, because clients can forge
 * references. `undefined` if an owner is missing or has an unknown kind. If a custom resource owns a Job or ReplicaSet, the Job
 * or ReplicaSet is the topmost owner.
 */
export async function topmostOwner(
  pod: KubeObject,
  { client }: Pick<WorkloadContext, "client">,
): Promise<PodOwner | undefined> {
  const { namespace = "" } = pod.metadata;
  const find = async (reference: unknown): Promise<KubeObject | undefined> => {
    const resource = resourceOf(reference);
    if (!resource) return undefined;
    const owner = await client.find(resource, { namespace, name: stringAt(reference, "name") ?? "" });
    return owner?.metadata.uid === stringAt(reference, "uid") ? owner : undefined;
  };
  const references = listAt(pod, "metadata", "ownerReferences");
  // Installer pods have an owner reference that does not set `controller`.
  const reference = controllerOf(pod) ?? references[0];
  if (reference === undefined) return { namespace, kind: "Pod", name: pod.metadata.name };
  const owner = await find(reference);
  const kind = stringAt(reference, "kind") ?? "";
  const above = owner && intermediate.has(kind) ? controllerOf(owner) : undefined;
  if (above === undefined || !resourceOf(above))
    return owner && { namespace, kind, name: owner.metadata.name };
  const top = await find(above);
  return top && { namespace, kind: stringAt(above, "kind") ?? "", name: top.metadata.name };
}

/** Returns the allow list entry of an owner. Undefined if the list has no entry for this owner. */
export function listedOwner<Entry extends Omit<ProcessOwner, "programs">>(
  owner: PodOwner,
  allowList: readonly Entry[],
): Entry | undefined {
  const fits = (pattern: string | RegExp, text: string) =>
    typeof pattern === "string" ? pattern === text : pattern.test(text);
  return allowList.find(
    ({ namespace, kind, name }) =>
      fits(namespace, owner.namespace) && fits(kind, owner.kind) && fits(name, owner.name),
  );
}

function resourceOf(reference: unknown): ResourceRef | undefined {
  const [group = ""] = (stringAt(reference, "apiVersion") ?? "").split("/").slice(0, -1);
  const kind = stringAt(reference, "kind") ?? "";
  return kinds[group ? `${group}/${kind}` : kind];
}

function controllerOf(object: KubeObject): unknown {
  return listAt(object, "metadata", "ownerReferences").find((each) => valueAt(each, "controller") === true);
}
