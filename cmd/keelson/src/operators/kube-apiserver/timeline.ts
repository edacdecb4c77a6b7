import { writeFile } from "node:fs/promises";
import { timeLimit } from "@keelson/base";
import { resources } from "@keelson/kube";
import { namespaces } from "@keelson/kube-apiserver-operator";
import {
  operatorKey,
  type RevisionRollout,
  rolloutRows,
  rolloutSvg,
  rolloutTimeline,
} from "@keelson/operator-kit";
import type { ClusterAccessFlags } from "../../options/cluster-access-options.ts";
import { tableOf } from "../../output/table.ts";
import { buildVersion } from "../../process/build-version.ts";
import { connectOperator } from "../connect-operator.ts";

export interface TimelineFlags extends ClusterAccessFlags {
  /** Path of the SVG file. `true` writes to stdout. */
  readonly svg?: string | true;
  readonly last: number;
  readonly output: "table" | "json";
}

const timeoutMs = 60_000;

/** Formats the recorded rollouts of a cluster as text, JSON or SVG. Returns an empty string if the SVG is written to a file. */
export async function runTimeline(
  { svg, last, output, ...access }: TimelineFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const rollouts = (await readRollouts(access, environment)).slice(0, last);
  if (output === "json") return `${JSON.stringify(rollouts, undefined, 2)}\n`;
  if (svg === undefined) return textOf(rollouts);
  const picture = rolloutSvg(rollouts, new Date());
  if (svg === true) return picture;
  await writeFile(svg, picture);
  return "";
}

async function readRollouts(
  access: Omit<TimelineFlags, "svg" | "last" | "output">,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly RevisionRollout[]> {
  const signal = timeLimit(timeoutMs);
  await using api = await connectOperator(
    { ...access, environment },
    {
      userAgent: `kube-apiserver-operator-timeline/${buildVersion()}`,
      fieldManager: "kube-apiserver-operator",
    },
  );
  const { target, operator } = namespaces;
  const [configuration, configMaps, pods, ...events] = await Promise.all([
    api.get(resources.kubeApiServers, operatorKey, signal),
    api.list(resources.configMaps, { namespace: target }, signal),
    api.list(resources.pods, { namespace: target }, signal),
    api.list(resources.events, { namespace: target }, signal),
    api.list(resources.events, { namespace: operator }, signal),
  ]);
  return rolloutTimeline(
    { name: "kube-apiserver" },
    {
      configuration,
      configMaps: configMaps.items,
      pods: pods.items,
      events: events.flatMap(({ items }) => items),
    },
  );
}

function textOf(rollouts: readonly RevisionRollout[]): string {
  if (rollouts.length === 0) return "there is no revision yet\n";
  return rollouts
    .map((rollout) => `revision ${rollout.revision}: ${rollout.reason}\n${tableOf(rolloutRows(rollout))}`)
    .join("\n");
}
