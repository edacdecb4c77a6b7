import type { KubeObject } from "@keelson/apiserver";
import { listAt, valueAt } from "@keelson/base";
import { controllerReference } from "@keelson/controller";
import { stringMapAt } from "../../base/fields.ts";
import { selectsLabels } from "../../base/label-selector.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { isActive } from "./pod-state.ts";

const { pods } = resources;

/**
 * Returns the pods that a workload controls. Adopts matching pods without a controller. Releases pods that no longer match the
 * selector.
 */
export async function adoptPods(owner: KubeObject, context: WorkloadContext): Promise<readonly KubeObject[]> {
  const { uid = "", namespace = "", deletionTimestamp } = owner.metadata;
  const selector = valueAt(owner, "spec", "selector");
  const equal = Object.entries(stringMapAt(selector, "matchLabels"));
  const expressions = { matchExpressions: listAt(selector, "matchExpressions") };
  // Compares `matchLabels` directly because this code runs for every pod in every reconciliation.
  const selected = ({ metadata: { labels = {} } }: KubeObject) =>
    equal.every(([name, value]) => labels[name] === value) &&
    (expressions.matchExpressions.length === 0 || selectsLabels(expressions, labels));
  const owned = context.informer(pods).by("controller", uid);
  const released = owned.filter((pod) => selector !== undefined && !selected(pod));
  for (const pod of released) {
    const ownerReferences = pod.metadata.ownerReferences?.filter((each) => each.uid !== uid) ?? [];
    await context.update(pods, { ...pod, metadata: { ...pod.metadata, ownerReferences } });
  }
  const adopted: KubeObject[] = [];
  if (deletionTimestamp === undefined && selector !== undefined) {
    // Reads only the small index of pods without a controller, because only these pods can be adopted.
    for (const pod of context.informer(pods).by("orphan", namespace)) {
      if (!isActive(pod) || !selected(pod)) continue;
      const ownerReferences = [...(pod.metadata.ownerReferences ?? []), controllerReference(owner)];
      adopted.push(await context.update(pods, { ...pod, metadata: { ...pod.metadata, ownerReferences } }));
    }
  }
  if (released.length + adopted.length === 0) return owned;
  const gone = new Set(released);
  return [...owned.filter((pod) => !gone.has(pod)), ...adopted];
}
