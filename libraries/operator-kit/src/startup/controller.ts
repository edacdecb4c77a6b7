import type { Controller } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { nodeStatuses } from "../static-pod/node-status.ts";
import { mirrorPodKey, type StaticPod, watchPods } from "../static-pod/static-pod.ts";
import { monitorConditions, monitorConditionTypes } from "./monitor-conditions.ts";

/** Reports failing startup monitors. Also reports static pods that fell back to an earlier revision. */
export function startupMonitors<Parts extends OperatorParts>(pod: StaticPod): Controller<Parts> {
  return operatorController<Parts>(pod.resource, {
    name: "StartupMonitorController",
    conditions: monitorConditionTypes,
    watches: [watchPods(pod)],
    // The controller also runs once a minute, because a pod can exceed its time limit although no object changes.
    resyncMs: 60_000,
    async reconcile({ configuration, parts: { cache, clock } }) {
      const nodes = nodeStatuses(configuration);
      const changing = nodes.find(({ targetRevision }) => targetRevision !== 0);
      const monitor =
        changing &&
        cache.find(resources.pods, {
          namespace: pod.namespace,
          name: `${pod.name}-startup-monitor-${changing.nodeName}`,
        });
      const staticPods = nodes.flatMap(
        ({ nodeName }) => cache.find(resources.pods, mirrorPodKey(pod, nodeName)) ?? [],
      );
      return { conditions: monitorConditions(monitor, staticPods, clock.now()) };
    },
  });
}
