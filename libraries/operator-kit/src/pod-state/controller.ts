import type { Controller } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { nodeStatuses } from "../static-pod/node-status.ts";
import { mirrorPodKey, type StaticPod, watchPods } from "../static-pod/static-pod.ts";
import type { OperatorVersions } from "../status/operator-versions.ts";
import { operandImage, staticPodsCondition } from "./static-pods.ts";

export interface StaticPodStateOptions {
  readonly pod: StaticPod;
  /** Receives the versions in `reached` when every master runs `image`. */
  readonly versions: OperatorVersions;
  readonly image: string;
  /** Versions to report after the rollout, by name, for example `operator` and `kube-apiserver`. */
  readonly reached: Readonly<Record<string, string>>;
}

/** Reports the health of the static pods. Also reports their version if all pods run the same version. */
export function staticPodState<Parts extends OperatorParts>({
  pod,
  versions,
  image,
  reached,
}: StaticPodStateOptions): Controller<Parts> {
  return operatorController<Parts>(pod.resource, {
    name: "StaticPodState",
    degraded: { type: "StaticPodsDegraded", failed: "Error" },
    watches: [watchPods(pod)],
    // The controller also runs once a minute, because a container can exceed its time limit although no object changes.
    resyncMs: 60_000,
    async reconcile({ configuration, parts }) {
      const pods = nodeStatuses(configuration).map(({ nodeName }) =>
        parts.cache.find(resources.pods, mirrorPodKey(pod, nodeName)),
      );
      const found = pods.filter((each): each is KubeObject => each !== undefined);
      if (found.length > 0 && operandImage(pods) === image) versions.set(reached);
      return { conditions: [staticPodsCondition(found, parts.clock.now())] };
    },
  });
}
