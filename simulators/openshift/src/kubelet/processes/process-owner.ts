import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { at, listAt, textAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

/** Entry of an image's allow list: pods of this owner run as processes of this machine. */
export interface ProcessOwner {
  readonly namespace: string | RegExp;
  /** Kind of the topmost owner, for example `Deployment`. `Pod` for pods without an owner. */
  readonly kind: string | RegExp;
  readonly name: string | RegExp;
  /** Programs of the image that these pods may run, as `ProcessImage.admit` names them. */
  readonly programs: readonly string[];
}

/** Topmost owner of a pod. */
export interface PodOwner {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** Owners by API group and kind. Pods of other kinds never run as processes. */
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
 * Kinds that controllers create for a workload. Owners of other kinds are the topmost ones, even if they have
 * owners.
 */
const intermediate: ReadonlySet<string> = new Set(["ReplicaSet", "Job"]);

/**
 * Returns the topmost owner of a pod. Each owner must exist with the UID of its reference, because a
 * reference alone proves nothing. `undefined` for a missing owner or one of an unknown kind. Custom resources
 * above a Job or ReplicaSet are not owners.
 */
export async function topmostOwner(
  pod: KubeObject,
  { client }: Pick<WorkloadContext, "client">,
): Promise<PodOwner | undefined> {
  const { namespace = "" } = pod.metadata;
  const find = async (reference: unknown): Promise<KubeObject | undefined> => {
    const resource = resourceOf(reference);
    if (!resource) return undefined;
    const owner = await client.find(resource, { namespace, name: textAt(reference, "name") ?? "" });
    return owner?.metadata.uid === textAt(reference, "uid") ? owner : undefined;
  };
  const references = listAt(pod, "metadata", "ownerReferences");
  // Installer pods have an owner that is no controller.
  const reference = controllerOf(pod) ?? references[0];
  if (reference === undefined) return { namespace, kind: "Pod", name: pod.metadata.name };
  const owner = await find(reference);
  const kind = textAt(reference, "kind") ?? "";
  const above = owner && intermediate.has(kind) ? controllerOf(owner) : undefined;
  if (above === undefined || !resourceOf(above))
    return owner && { namespace, kind, name: owner.metadata.name };
  const top = await find(above);
  return top && { namespace, kind: textAt(above, "kind") ?? "", name: top.metadata.name };
}

/** Returns the entry of the allow list for an owner. */
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
  const [group = ""] = (textAt(reference, "apiVersion") ?? "").split("/").slice(0, -1);
  const kind = textAt(reference, "kind") ?? "";
  return kinds[group ? `${group}/${kind}` : kind];
}

function controllerOf(object: KubeObject): unknown {
  return listAt(object, "metadata", "ownerReferences").find((each) => at(each, "controller") === true);
}
