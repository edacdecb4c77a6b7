import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { timeAt } from "../static-pod/static-pod.ts";
import type { NodeRollout } from "./node-rollout.ts";

/** Event that occurred during a rollout. */
export interface RolloutNote {
  readonly at: Date;
  /** Node that the Event is about. Undefined if it is not about a node. */
  readonly node?: string;
  readonly reason: string;
  readonly text: string;
}

/** Reasons of Events about failures that pods do not show. */
const reasons = new Set([
  "InstallerPodDisappeared",
  "MissingStaticPod",
  "RequiredInstallerResourcesMissing",
  "StaticPodInstallerFailed",
]);

/** Returns the Events with one of `reasons` from the start of a rollout until the start of the next rollout. */
export function rolloutNotes(
  events: readonly KubeObject[],
  nodes: readonly Pick<NodeRollout, "node">[],
  from: Date,
  until: Date | undefined,
): readonly RolloutNote[] {
  return events
    .flatMap((event): readonly RolloutNote[] => {
      const reason = stringAt(event, "reason") ?? "";
      const at = eventTime(event);
      if (!reasons.has(reason) || !at || at < from || (until && at >= until)) return [];
      const text = stringAt(event, "message") ?? "";
      const about = `${text} ${stringAt(event, "reportingInstance") ?? ""}`;
      // A node name may be a prefix of a longer node name, so the longest match is correct.
      const [node] = nodes
        .map((each) => each.node)
        .filter((each) => about.includes(each))
        .sort((a, b) => b.length - a.length);
      return [{ at, ...(node === undefined ? {} : { node }), reason, text }];
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Returns the time when the operator first observed the node at the revision. Undefined after the Event has expired. */
export function reachedRevision(
  events: readonly KubeObject[],
  node: string,
  revision: number,
): Date | undefined {
  const found = events.find((event) => {
    if (stringAt(event, "reason") !== "NodeCurrentRevisionChanged") return false;
    const message = stringAt(event, "message") ?? "";
    const [, to] = / from revision \d+ to (\d+) because /.exec(message) ?? [];
    return message.startsWith(`Updated node ${JSON.stringify(node)} `) && Number(to) === revision;
  });
  return found && eventTime(found);
}

function eventTime(event: KubeObject): Date | undefined {
  return timeAt(event, "firstTimestamp") ?? timeAt(event, "eventTime");
}
