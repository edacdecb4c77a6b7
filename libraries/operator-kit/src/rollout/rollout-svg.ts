import { cutText } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { escapedXml, svgDocument } from "../drawing/svg-document.ts";
import type { NodeRollout, NodeRolloutState, RolloutSpan } from "./node-rollout.ts";
import { durationText } from "./rollout-text.ts";
import type { RevisionRollout } from "./rollout-timeline.ts";

const page = { width: 960, margin: 24, label: 170, result: 150 };
const row = { height: 30, bar: 16 };
const heights = { header: 58, axis: 26, gap: 26, legend: 44 };
const chart = { x: page.margin + page.label, width: page.width - 2 * page.margin - page.label - page.result };
/** Maximum number of characters of each label, at a font size of 12 pixels. */
const letters = { label: 24, result: 22, reason: 118 };

const style = {
  light: [
    "text{font-size:12px;fill:#1f2933}.title{font-size:15px;font-weight:600}.quiet{fill:#52606d}",
    ".grid{stroke:#d9e0e7}.row{fill:#f4f6f8}",
    ".copying{fill:#8a94a0}.installing{fill:#2f6fb7}.starting{fill:#c98a1b}.reached{fill:#2c8a4b}.failure{fill:#c0392b}",
    ".open{opacity:.45}.failed{fill:#a93226}",
  ].join(""),
  dark: [
    "text{fill:#e4e9ee}.quiet{fill:#9fadbb}.grid{stroke:#333d47}.row{fill:#1c2229}",
    ".copying{fill:#7b8794}.installing{fill:#5b9be0}.starting{fill:#e0ab4a}.reached{fill:#54b878}.failure{fill:#e57368}",
    ".failed{fill:#f09088}",
  ].join(""),
};

/**
 * Draws rollouts below each other. Each node has a row, and the time axis runs from left to right. Unfinished spans end at `now`.
 */
export function rolloutSvg(rollouts: readonly RevisionRollout[], now: Date): string {
  const elements: string[] = [];
  let y = page.margin;
  for (const rollout of rollouts) {
    elements.push(...drawRollout(rollout, now, y));
    y += heightOf(rollout) + heights.gap;
  }
  if (rollouts.length === 0) {
    elements.push(text(page.margin, y + 16, "title", "There is no revision yet."));
    y += heights.header;
  }
  elements.push(...legend(y));
  return svgDocument({
    width: page.width,
    height: y + heights.legend,
    title: "Rollouts of the static pods",
    description: rollouts.map((each) => describeRollout(each, now)).join(" ") || "There is no revision yet.",
    style,
    elements,
  });
}

function heightOf({ nodes }: RevisionRollout): number {
  return heights.header + (nodes.length + 1) * row.height + heights.axis;
}

function drawRollout(rollout: RevisionRollout, now: Date, top: number): readonly string[] {
  const { revision, reason, createdAt, copiedAt, nodes, notes } = rollout;
  const end = endOf(rollout, now);
  const totalMs = Math.max(1_000, end.getTime() - createdAt.getTime());
  const xOf = (time: Date) =>
    chart.x + (chart.width * Math.min(totalMs, Math.max(0, time.getTime() - createdAt.getTime()))) / totalMs;
  const rowsTop = top + heights.header;
  const rowsEnd = rowsTop + (nodes.length + 1) * row.height;
  const bar = (line: number, kind: string, span: Pick<RolloutSpan, "from" | "to">, hint: string) => {
    const [from, to] = [xOf(span.from), xOf(span.to ?? end)];
    const y = rowsTop + line * row.height + (row.height - row.bar) / 2;
    const open = span.to ? "" : " open";
    return `<rect class="${kind}${open}" x="${rounded(from)}" y="${y}" width="${rounded(Math.max(2, to - from))}" height="${row.bar}" rx="3"><title>${escapedXml(hint)}</title></rect>`;
  };
  const label = (line: number, x: number, kind: string, value: string) =>
    text(x, rowsTop + line * row.height + 19, kind, value);
  const spanHint = (node: string, { kind, from, to, failure }: RolloutSpan) =>
    `${node}: ${kind === "installing" ? "installer" : "static pod starts"}, ${timestamp(from)}, ${durationText(to ?? end, from)}${failure === undefined ? "" : `, failed: ${failure}`}`;
  return [
    text(page.margin, top + 16, "title", `Revision ${revision} – ${summary(rollout, now)}`),
    text(
      page.margin,
      top + 36,
      "quiet",
      cutText(`${timestamp(createdAt)}  ${reason.replaceAll(",", ", ")}`, letters.reason),
    ),
    ...[...Array(nodes.length + 1).keys()]
      .filter((line) => line % 2 === 0)
      .map(
        (line) =>
          `<rect class="row" x="${page.margin}" y="${rowsTop + line * row.height}" width="${page.width - 2 * page.margin}" height="${row.height}"/>`,
      ),
    ...ticks(totalMs).flatMap((ms) => {
      const x = rounded(xOf(new Date(createdAt.getTime() + ms)));
      const after = durationText(new Date(ms), new Date(0));
      return [
        `<line class="grid" x1="${x}" y1="${rowsTop}" x2="${x}" y2="${rowsEnd}"/>`,
        text(x, rowsEnd + 17, "quiet", `+${after}`, "middle"),
      ];
    }),
    label(0, page.margin + 8, "quiet", "copies"),
    bar(0, "copying", { from: createdAt, to: copiedAt }, "copies of configuration are made"),
    ...nodes.flatMap((node, index) => [
      label(index + 1, page.margin + 8, "name", cutText(node.node, letters.label)),
      ...node.spans.map((span) =>
        bar(index + 1, span.failure === undefined ? span.kind : "failure", span, spanHint(node.node, span)),
      ),
      ...reachedMark(node, index + 1, rowsTop, xOf),
      label(
        index + 1,
        chart.x + chart.width + 14,
        node.state === "failed" ? "failed" : "quiet",
        cutText(resultOf(node, createdAt), letters.result),
      ),
    ]),
    ...notes.map(({ at, node, reason: why, text: what }) => {
      const line = nodes.findIndex((each) => each.node === node) + 1;
      const [x, y] = [rounded(xOf(at)), rowsTop + line * row.height + 2];
      return `<path class="failure" d="M${x} ${y + 9}l-5 -9h10z"><title>${escapedXml(`${timestamp(at)} ${why}: ${what}`)}</title></path>`;
    }),
  ];
}

/** Returns the SVG mark at the time when the node reached the revision. */
function reachedMark(
  { node, reachedAt }: NodeRollout,
  line: number,
  rowsTop: number,
  xOf: (time: Date) => number,
): readonly string[] {
  if (!reachedAt) return [];
  const y = rowsTop + line * row.height + row.height / 2;
  const hint = `${node}: ready, ${timestamp(reachedAt)}`;
  return [
    `<circle class="reached" cx="${rounded(xOf(reachedAt))}" cy="${y}" r="6"><title>${escapedXml(hint)}</title></circle>`,
  ];
}

const words: Readonly<Record<NodeRolloutState, string>> = {
  waiting: "waits for its turn",
  installing: "installing",
  starting: "starting",
  reached: "ready",
  failed: "failed",
  skipped: "left to a newer one",
};

function resultOf({ state, reachedAt }: NodeRollout, createdAt: Date): string {
  return reachedAt ? `ready after ${durationText(reachedAt, createdAt)}` : words[state];
}

function summary(rollout: RevisionRollout, now: Date): string {
  const { completedAt, createdAt, nodes } = rollout;
  if (completedAt) return `complete after ${durationText(completedAt, createdAt)}`;
  const there = nodes.filter(({ state }) => state === "reached").length;
  const isLeft = nodes.length > 0 && nodes.every(({ state }) => state === "skipped" || state === "reached");
  if (isLeft) return "a newer revision came before its end";
  return `${there} of ${nodes.length} nodes after ${durationText(endOf(rollout, now), createdAt)}`;
}

function describeRollout(rollout: RevisionRollout, now: Date): string {
  const nodes = rollout.nodes.map((node) => `${node.node}: ${resultOf(node, rollout.createdAt)}.`);
  return [`Revision ${rollout.revision}, ${summary(rollout, now)}.`, ...nodes].join(" ");
}

/** Returns the end of the time axis: `now` if the rollout is incomplete, and otherwise the latest recorded time. */
function endOf({ createdAt, copiedAt, completedAt, nodes, notes }: RevisionRollout, now: Date): Date {
  const isOngoing = nodes.some(({ state }) => state !== "reached" && state !== "skipped");
  const moments = [
    createdAt,
    ...(copiedAt ? [copiedAt] : []),
    ...(completedAt ? [completedAt] : []),
    ...nodes.flatMap(({ spans, reachedAt }) => [
      ...spans.flatMap(({ from, to }) => [from, ...(to ? [to] : [])]),
      ...(reachedAt ? [reachedAt] : []),
    ]),
    ...notes.map(({ at }) => at),
    ...(isOngoing || !copiedAt ? [now] : []),
  ];
  return new Date(Math.max(...moments.map((time) => time.getTime())));
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800];

/** Returns the positions of at most eight ticks on the time axis. Positions are round numbers of milliseconds after the start. */
function ticks(totalMs: number): readonly number[] {
  const seconds = totalMs / 1_000;
  const step = steps.find((each) => seconds / each <= 7) ?? Math.ceil(seconds / 7);
  return [...Array(Math.floor(seconds / step) + 1).keys()].map((index) => index * step * 1_000);
}

function legend(top: number): readonly string[] {
  const entries = [
    ["copying", "copies are made"],
    ["installing", "installer writes to the node"],
    ["starting", "static pod starts"],
    ["reached", "ready"],
    ["failure", "failed"],
  ] as const;
  let x = page.margin;
  return entries.flatMap(([kind, words]) => {
    const box = `<rect class="${kind}" x="${x}" y="${top}" width="12" height="12" rx="3"/>`;
    const drawn = [box, text(x + 18, top + 10, "quiet", words)];
    x += 42 + words.length * 7;
    return drawn;
  });
}

function text(x: number, y: number, kind: string, value: string, anchor?: "middle"): string {
  const placed = anchor ? ` text-anchor="${anchor}"` : "";
  return `<text class="${kind}" x="${x}" y="${y}"${placed}>${escapedXml(value)}</text>`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
