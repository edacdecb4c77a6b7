import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt } from "@keelson/base";
import { controllerReference } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

const { controllerRevisions: resource } = resources;

/**
 * Stores the current template of a DaemonSet or StatefulSet as a ControllerRevision. `kubectl rollout history` and `kubectl
 * rollout undo` read the revisions. Deletes the oldest revisions beyond `spec.revisionHistoryLimit`.
 */
export async function recordRevision(
  owner: KubeObject,
  hash: string,
  context: WorkloadContext,
): Promise<void> {
  const owned = context.informer(resource).by("controller", owner.metadata.uid ?? "");
  const name = `${owner.metadata.name}-${hash}`;
  const latest = Math.max(0, ...owned.map((each) => numberAt(each, "revision") ?? 0));
  const present = owned.find(({ metadata }) => metadata.name === name);
  if (present) {
    if (numberAt(present, "revision") !== latest)
      await context.update(resource, { ...present, revision: latest + 1 });
  } else {
    try {
      await context.create(resource, {
        apiVersion: "apps/v1",
        kind: "ControllerRevision",
        metadata: {
          name,
          ...(owner.metadata.namespace ? { namespace: owner.metadata.namespace } : {}),
          labels: { "controller-revision-hash": hash },
          ownerReferences: [controllerReference(owner)],
        },
        data: { spec: { template: { ...objectAt(owner, "spec", "template"), $patch: "replace" } } },
        revision: latest + 1,
      });
    } catch (error) {
      if (!hasReason(error, "AlreadyExists")) throw error;
    }
  }
  const limit = numberAt(owner, "spec", "revisionHistoryLimit") ?? 10;
  const old = owned.filter(({ metadata }) => metadata.name !== name);
  const surplus = old
    .toSorted((a, b) => (numberAt(b, "revision") ?? 0) - (numberAt(a, "revision") ?? 0))
    .slice(limit);
  for (const each of surplus) await context.delete(resource, each);
}
