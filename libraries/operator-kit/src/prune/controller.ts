import { isDeepStrictEqual } from "node:util";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { type Controller, done, watchFor } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { prunerPod, revisionStatusKey } from "../installer/installer-pod.ts";
import {
  type OperatorParts,
  type OperatorRequest,
  operatorController,
} from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import { numberOf } from "../revisions/plan-revision.ts";
import { nodeStatuses } from "../static-pod/node-status.ts";
import type { StaticPod } from "../static-pod/static-pod.ts";
import { revisionLimits, revisionsToKeep } from "./revisions-to-keep.ts";

/**
 * Deletes revisions that no node needs. First, a pod on each node deletes the files of these revisions from the disk. Then the
 * controller deletes the objects of the revisions from the API. The status ConfigMap of a revision owns all objects of the
 * revision.
 */
export function pruner<Parts extends OperatorParts>(pod: StaticPod): Controller<Parts> {
  const { namespace } = pod;
  return operatorController<Parts>(pod.resource, {
    name: "PruneController",
    degraded: { type: "PruneControllerDegraded", failed: "SyncError", fine: "AsExpected" },
    watches: [
      watchFor(resources.configMaps, operatorKey, {
        selection: { namespace },
        where: (change) => numberOf(change.object.metadata.name) > 0,
      }),
      watchFor(resources.pods, operatorKey, {
        selection: { namespace },
        where: ({ object }) => object.metadata.labels?.app === "pruner",
      }),
    ],
    resyncMs: 600_000,
    async reconcile(request) {
      const { configuration, objects, parts } = request;
      const nodes = nodeStatuses(configuration);
      const latest = numberAt(configuration, "status", "latestAvailableRevision") ?? 0;
      if (nodes.length === 0 || latest === 0) return done;
      const kept = revisionsToKeep(nodes, latest, revisionLimits(configuration));
      if (!kept) return done;
      const configMaps = parts.cache.informer(resources.configMaps, { selection: { namespace } });
      const outdated = configMaps
        .list()
        .map(({ metadata: { name } }) => numberOf(name))
        .filter((revision) => revision > 0 && revision <= latest && !kept.includes(revision));
      if (outdated.length === 0) return done;
      const status = configMaps.get(revisionStatusKey(pod, latest));
      if (!status) return done;
      // The disks are pruned first. If the API objects were deleted first, a crash would leave revisions on the disks that no API
      // object lists.
      for (const { nodeName } of nodes) await startPruner(pod, request, nodeName, latest, kept, status);
      for (const revision of outdated.sort((a, b) => a - b))
        await objects.remove(resources.configMaps, revisionStatusKey(pod, revision));
      return done;
    },
  });
}

/** Creates the pruner pod of a node. Replaces a finished pruner pod that was created for different revisions. */
async function startPruner(
  pod: StaticPod,
  { objects }: OperatorRequest<OperatorParts>,
  node: string,
  latest: number,
  kept: readonly number[],
  status: KubeObject,
): Promise<void> {
  const wanted = prunerPod(pod, node, latest, kept, status);
  const { name } = wanted.metadata;
  const found = await objects.find(resources.pods, { namespace: pod.namespace, name });
  if (found) {
    const isSame = isDeepStrictEqual(argsOf(found), argsOf(wanted));
    const phase = stringAt(found, "status", "phase");
    if (isSame || (phase !== "Succeeded" && phase !== "Failed")) return;
    await objects.remove(resources.pods, { namespace: pod.namespace, name });
  }
  await objects.create(resources.pods, wanted);
}

function argsOf(pod: unknown): readonly unknown[] {
  return listAt(listAt(pod, "spec", "containers")[0], "args");
}
