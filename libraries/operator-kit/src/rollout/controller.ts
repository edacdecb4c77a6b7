import { numberAt, stringAt } from "@keelson/base";
import type { Condition, Controller } from "@keelson/controller";
import { findCondition, type KubeObject, resources } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { podsOf, type StaticPod, watchPods, watchSources } from "../static-pod/static-pod.ts";
import { rolloutMessage } from "./rollout-text.ts";
import { type RevisionRollout, rolloutTimeline } from "./rollout-timeline.ts";

const type = "RolloutComplete";

/**
 * Returns a controller that reports the timeline of the latest rollout as a condition message. After the rollout is complete, the
 * message does not change, because pods may become unready later for unrelated reasons.
 */
export function rolloutTimelineCondition<Parts extends OperatorParts>(pod: StaticPod): Controller<Parts> {
  return operatorController<Parts>(pod.resource, {
    name: "RolloutTimelineController",
    conditions: [type],
    watches: [watchPods(pod), ...watchSources(pod)],
    async reconcile({ configuration, parts: { cache } }) {
      const latest = numberAt(configuration, "status", "latestAvailableRevision") ?? 0;
      const configMaps = cache.informer(resources.configMaps, { selection: { namespace: pod.namespace } });
      const rollout = rolloutTimeline(pod, {
        configuration,
        configMaps: configMaps.list(),
        pods: podsOf(cache, pod),
      }).find(({ revision }) => revision === latest);
      return { conditions: [rolloutCondition(rollout, reported(configuration))] };
    },
  });
}

export function rolloutCondition(
  rollout: RevisionRollout | undefined,
  before: Condition | undefined,
): Condition {
  if (!rollout) return { type, status: "False", reason: "NoRevision", message: "there is no revision yet" };
  const { revision, nodes, completedAt } = rollout;
  if (completedAt) {
    const isKnown = before?.status === "True" && before.message?.startsWith(`revision ${revision},`);
    if (isKnown) return before;
    return { type, status: "True", reason: "AllNodesAtRevision", message: rolloutMessage(rollout) };
  }
  const isFailing = nodes.some(({ state }) => state === "failed");
  const reason = isFailing ? "NodeFailing" : "RolloutInProgress";
  return { type, status: "False", reason, message: rolloutMessage(rollout) };
}

function reported(configuration: KubeObject): Condition | undefined {
  const found = findCondition(configuration, type);
  const [status, reason, message] = ["status", "reason", "message"].map((name) => stringAt(found, name));
  if (status !== "True" || reason === undefined || message === undefined) return undefined;
  return { type, status, reason, message };
}
