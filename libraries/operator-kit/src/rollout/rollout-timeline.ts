import { listAt, numberAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { isReady, numberOf } from "../revisions/plan-revision.ts";
import { type NodeStatus, nodeStatuses } from "../static-pod/node-status.ts";
import { readySince, revisionOf, type StaticPod, timeAt } from "../static-pod/static-pod.ts";
import type { NodeRollout, NodeRolloutState, RolloutSpan } from "./node-rollout.ts";
import { type RolloutNote, reachedRevision, rolloutNotes } from "./rollout-events.ts";

export interface RevisionRollout {
  readonly revision: number;
  /** Change that caused the revision, for example `required configmap/config has changed`. */
  readonly reason: string;
  readonly createdAt: Date;
  /** Creation time of the last ConfigMap that was copied for the revision. Undefined until all copies exist. */
  readonly copiedAt?: Date;
  /** Rollout of each node, in the order of `status.nodeStatuses`. */
  readonly nodes: readonly NodeRollout[];
  /** Additional Events, oldest first. */
  readonly notes: readonly RolloutNote[];
  /** Time when the last node reached the revision. Undefined while the rollout is incomplete. */
  readonly completedAt?: Date;
}

export interface RolloutObjects {
  /** The operator's configuration. */
  readonly configuration: KubeObject;
  /** ConfigMaps in the namespace of the static pod. */
  readonly configMaps: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
  /** Events in the namespaces of the pods and of the operator. Events expire after three hours, unlike pods and ConfigMaps. */
  readonly events?: readonly KubeObject[];
}

/** Reconstructs rollouts from the objects that exist in the cluster. The newest rollout is first. */
export function rolloutTimeline(
  pod: Pick<StaticPod, "name">,
  objects: RolloutObjects,
): readonly RevisionRollout[] {
  const statuses = objects.configMaps
    .filter(({ metadata: { name } }) => numberOf(name) > 0)
    .sort((a, b) => numberOf(b.metadata.name) - numberOf(a.metadata.name));
  const latest = numberAt(objects.configuration, "status", "latestAvailableRevision") ?? 0;
  return statuses.map((status, index) => {
    const newer = statuses[index - 1];
    return revisionRollout(pod, objects, status, latest, newer && createdAt(newer));
  });
}

function revisionRollout(
  pod: Pick<StaticPod, "name">,
  { configuration, configMaps, pods, events = [] }: RolloutObjects,
  status: KubeObject,
  latest: number,
  supersededAt: Date | undefined,
): RevisionRollout {
  const revision = numberOf(status.metadata.name);
  const copies = configMaps.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ uid }) => uid === status.metadata.uid),
  );
  const began = createdAt(status);
  const copiedMs = Math.max(began.getTime(), ...copies.map((copy) => createdAt(copy).getTime()));
  const nodes = nodeStatuses(configuration).map((node) => {
    const reachedBy = reachedRevision(events, node.nodeName, revision);
    return nodeRollout(pod, node, pods, { revision, isLatest: revision === latest, reachedBy });
  });
  const reached = nodes.flatMap(({ reachedAt }) => reachedAt?.getTime() ?? []);
  return {
    revision,
    reason: stringAt(status, "data", "reason") ?? "",
    createdAt: began,
    ...(isReady(status) ? { copiedAt: new Date(copiedMs) } : {}),
    nodes,
    notes: rolloutNotes(events, nodes, began, supersededAt),
    ...(nodes.length > 0 && reached.length === nodes.length
      ? { completedAt: new Date(Math.max(...reached)) }
      : {}),
  };
}

interface NodeTarget {
  readonly revision: number;
  readonly isLatest: boolean;
  /** Time when the node reached the revision, according to an Event. */
  readonly reachedBy: Date | undefined;
}

function nodeRollout(
  { name }: Pick<StaticPod, "name">,
  status: NodeStatus,
  pods: readonly KubeObject[],
  { revision, isLatest, reachedBy }: NodeTarget,
): NodeRollout {
  const node = status.nodeName;
  const installs = installSpans(pods, node, revision);
  const mirror = pods.find(({ metadata }) => metadata.name === `${name}-${node}`);
  const readyAt = revisionOf(mirror) === revision ? readySince(mirror) : undefined;
  const hasReached = status.currentRevision === revision || reachedBy !== undefined;
  const reachedAt = hasReached ? (readyAt ?? reachedBy) : undefined;
  const installed = installs.findLast(({ to, failure }) => to !== undefined && failure === undefined);
  const failure = operandFailure(status, revision);
  const starting: RolloutSpan[] = [];
  if (installed?.to) {
    const to = reachedAt ?? failure?.at ?? readyAt;
    starting.push({
      kind: "starting",
      attempt: installed.attempt,
      from: installed.to,
      // If the recorded end is before the end of this installation, it belongs to an earlier attempt and is omitted.
      ...(to && to >= installed.to ? { to } : {}),
      ...(failure ? { failure: failure.text } : {}),
    });
  }
  const spans = [...installs, ...starting];
  return {
    node,
    spans,
    state: stateOf(status, revision, isLatest, hasReached, spans),
    ...(reachedAt ? { reachedAt } : {}),
  };
}

function stateOf(
  { targetRevision, lastFailedRevision }: NodeStatus,
  revision: number,
  isLatest: boolean,
  hasReached: boolean,
  spans: readonly RolloutSpan[],
): NodeRolloutState {
  if (hasReached) return "reached";
  const last = spans.at(-1);
  if (targetRevision === revision) {
    if (last?.failure !== undefined) return "failed";
    return last?.kind === "starting" ? "starting" : "installing";
  }
  if (lastFailedRevision === revision) return "failed";
  return isLatest ? "waiting" : "skipped";
}

/** Matches `installer-5-master-0`, and `installer-5-retry-2-master-0` for a retry. */
const installerPod = /^installer-([1-9]\d*)(?:-retry-(\d+))?-(.+)$/;

function installSpans(pods: readonly KubeObject[], node: string, revision: number): readonly RolloutSpan[] {
  return pods
    .flatMap((pod): readonly RolloutSpan[] => {
      const [, ofRevision, retry = "0", ofNode] = installerPod.exec(pod.metadata.name) ?? [];
      // The node name at the end of the pod's name may resemble a retry suffix. The pod's `spec.nodeName` therefore takes
      // precedence.
      const runsOn = stringAt(pod, "spec", "nodeName") ?? ofNode;
      if (Number(ofRevision) !== revision || runsOn !== node) return [];
      const from = createdAt(pod);
      const phase = stringAt(pod, "status", "phase");
      const ended = listAt(pod, "status", "containerStatuses").map((each) => ({
        at: timeAt(each, "state", "terminated", "finishedAt"),
        message: stringAt(each, "state", "terminated", "message") ?? "",
      }));
      const hasEnded = phase === "Succeeded" || phase === "Failed";
      const to = hasEnded ? latestOf(from, ...ended.flatMap(({ at }) => at ?? [])) : undefined;
      const failure = ended.map(({ message }) => message).find((message) => message !== "");
      return [
        {
          kind: "installing",
          attempt: Number(retry),
          from,
          ...(to ? { to } : {}),
          ...(phase === "Failed" ? { failure: failure ?? "no detailed termination message" } : {}),
        },
      ];
    })
    .sort((a, b) => a.attempt - b.attempt || a.from.getTime() - b.from.getTime());
}

/** Returns a failure of the static pod. Failures of the installer are not included, because they come from the installer pods. */
function operandFailure(status: NodeStatus, revision: number) {
  const { lastFailedRevision, lastFailedReason, lastFailedTime, lastFailedRevisionErrors } = status;
  if (lastFailedRevision !== revision || !lastFailedReason.startsWith("OperandFailed")) return undefined;
  const at = timeAt({ lastFailedTime }, "lastFailedTime");
  return { ...(at ? { at } : {}), text: lastFailedRevisionErrors.join("; ") || lastFailedReason };
}

function createdAt({ metadata: { creationTimestamp } }: KubeObject): Date {
  return new Date(creationTimestamp ?? 0);
}

function latestOf(...times: readonly Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}
