import type { CaseResult } from "./install-case.ts";
import { clusterMs, manifestsMs, type TimedOperation } from "./timed-operation.ts";

/** Returns the result table with the seconds of each phase. */
export function tableOf(results: readonly CaseResult[]): readonly (readonly string[])[] {
  const seconds = (ms: number) => (ms === 0 ? "-" : (ms / 1_000).toFixed(1));
  return [
    [
      "case",
      "result",
      "create manifests",
      "create cluster",
      "creation",
      "deletion",
      "expected",
      "longest steps",
    ],
    ...results.map(({ name, create, remove, problems }) => [
      name,
      create.status === "Succeeded" ? "Succeeded" : (create.error?.code ?? "Failed"),
      seconds(manifestsMs(create)),
      seconds(clusterMs(create)),
      seconds(create.totalMs),
      seconds(remove.totalMs),
      problems.length === 0 ? "yes" : "no",
      longestSteps(create),
    ]),
  ];
}

const shownSteps = 3;

function longestSteps({ steps }: TimedOperation): string {
  const sorted = [...steps].toSorted(([, a], [, b]) => b - a).slice(0, shownSteps);
  return sorted.map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)}`).join(", ");
}
