import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { timeAt } from "../static-pod/static-pod.ts";
import type { NodeRollout } from "./node-rollout.ts";

/** What an Event adds to a rollout. */
export interface RolloutNote {
  readonly at: Date;
  /** Absent where it is about no node. */
  readonly node?: string;
  readonly reason: string;
  readonly text: string;
}

/** Events of what goes wrong, and what no pod shows afterwards. */
const reasons = new Set([
  "InstallerPodDisappeared",
  "MissingStaticPod",
  "RequiredInstallerResourcesMissing",
  "StaticPodInstallerFailed",
]);

/** Those that lie in the rollout's time, which ends where the next one begins. */
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
      // The longest name: that of one node may begin with that of another.
      const [node] = nodes
        .map((each) => each.node)
        .filter((each) => about.includes(each))
        .sort((a, b) => b.length - a.length);
      return [{ at, ...(node === undefined ? {} : { node }), reason, text }];
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** When the operator saw the node at the revision; undefined where no Event says so any more. */
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
