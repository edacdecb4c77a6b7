import { cutText } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import type { NodeRollout } from "./node-rollout.ts";
import type { RevisionRollout } from "./rollout-timeline.ts";

/** Entry of a timeline. */
export interface RolloutMoment {
  readonly at: Date;
  /** Node name. Empty if the entry is not about a node. */
  readonly node: string;
  readonly text: string;
}

const maxText = 300;

/** Returns all entries of the timeline, oldest first. */
export function rolloutMoments(rollout: RevisionRollout): readonly RolloutMoment[] {
  const { revision, createdAt, copiedAt, nodes, notes, completedAt } = rollout;
  const moments: RolloutMoment[] = [{ at: createdAt, node: "", text: `revision ${revision} begins` }];
  if (copiedAt) moments.push({ at: copiedAt, node: "", text: "all copies are made" });
  for (const node of nodes) moments.push(...nodeMoments(node, revision));
  for (const { at, node = "", reason, text } of notes)
    moments.push({ at, node, text: oneLine(`${reason}: ${text}`) });
  const inOrder = moments.sort((a, b) => a.at.getTime() - b.at.getTime());
  return completedAt
    ? [...inOrder, { at: completedAt, node: "", text: "all nodes are at the revision" }]
    : inOrder;
}

function nodeMoments({ node, spans, reachedAt }: NodeRollout, revision: number): readonly RolloutMoment[] {
  const moments = spans.flatMap(({ kind, attempt, from, to, failure }): readonly RolloutMoment[] => {
    const end = to ?? from;
    if (kind === "starting")
      return failure === undefined ? [] : [{ at: end, node, text: oneLine(`static pod failed: ${failure}`) }];
    const name = attempt === 0 ? "installer" : `installer, retry ${attempt},`;
    const begins = { at: from, node, text: `${name} begins` };
    if (failure !== undefined)
      return [begins, { at: end, node, text: oneLine(`${name} failed: ${failure}`) }];
    return to ? [begins, { at: to, node, text: `${name} has written the revision` }] : [begins];
  });
  if (reachedAt) moments.push({ at: reachedAt, node, text: `static pod of revision ${revision} is ready` });
  return moments;
}

/** Formats a rollout as a condition message. The message does not depend on the current time. */
export function rolloutMessage(rollout: RevisionRollout): string {
  const { revision, reason, createdAt, nodes, completedAt } = rollout;
  const took = completedAt ? `, complete after ${durationText(completedAt, createdAt)}` : "";
  const lines = rolloutMoments(rollout).map(
    ({ at, node, text }) => `${timestamp(at)} ${node === "" ? "" : `${node}: `}${text}`,
  );
  const open = nodes
    .filter(({ state }) => state !== "reached")
    .map(({ node, state }) => `${node} (${state})`);
  const left = open.length === 0 ? [] : [`not yet there: ${open.join(", ")}`];
  return [`revision ${revision}${took}: ${reason}`, ...lines, ...left].join("\n");
}

/** Formats a duration with at most two units, for example `1h2m`, `4m12s` or `8s`. */
export function durationText(end: Date, begin: Date): string {
  const seconds = Math.max(0, Math.round((end.getTime() - begin.getTime()) / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const parts =
    hours > 0
      ? ([
          [hours, "h"],
          [minutes, "m"],
        ] as const)
      : ([
          [minutes, "m"],
          [seconds % 60, "s"],
        ] as const);
  const text = parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : "")).join("");
  return text === "" ? "0s" : text;
}

/**
 * Returns table rows, starting with the heading. Each row has the time of an entry and the duration since the rollout's start.
 */
export function rolloutRows(rollout: RevisionRollout): readonly (readonly string[])[] {
  return [
    ["TIME", "AFTER", "NODE", "WHAT"],
    ...rolloutMoments(rollout).map(({ at, node, text }) => [
      timestamp(at),
      durationText(at, rollout.createdAt),
      node === "" ? "-" : node,
      text,
    ]),
    ...rollout.nodes
      .filter(({ state }) => state !== "reached")
      .map(({ node, state }) => ["-", "-", node, state]),
  ];
}

function oneLine(text: string): string {
  return cutText(text.replace(/\s+/g, " ").trim(), maxText);
}
