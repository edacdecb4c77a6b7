import { probeNames } from "./client-probes.ts";
import { type CrashCase, caseName } from "./crash-case.ts";
import type { CaseResult } from "./run-case.ts";

export interface CrashRow {
  readonly case: CrashCase;
  /** One-minute load average of the machine at the end of the case. */
  readonly load: number;
  /** Measurements. Undefined if the case failed with `error`. */
  readonly result?: CaseResult;
  /** Completed steps that were started again, in the form `operation.step`. */
  readonly repeatedSteps?: readonly string[];
  /** Error message of a case without a result. */
  readonly error?: string;
}

/** Returns the maximum time in milliseconds from the crash until all clients receive responses again. */
function goalMs({ clusters }: CrashCase): number {
  return clusters > 1 ? 60_000 : 15_000;
}

/** Returns the missed goals of a case, except goals for recovery times. Each goal is one line. */
export function lostOrFailed({ case: each, result, repeatedSteps = [], error }: CrashRow): readonly string[] {
  const problems = error === undefined ? [] : [error];
  problems.push(...repeatedSteps.map((step) => `${step} ran twice`));
  if (result === undefined) return problems.map((text) => `${caseName(each)}: ${text}`);
  const { writes, install, suspension } = result;
  for (const [name, { acknowledged, lost, failures }] of Object.entries(writes)) {
    if (lost > 0) problems.push(`${lost} of ${acknowledged} acknowledged ${name} writes lost`);
    if (failures["update Failed"] !== undefined) problems.push(`${failures["update Failed"]} updates Failed`);
  }
  if (install !== undefined) {
    const { before, after, exitCode, stderr = "" } = install;
    if (before !== "Creating") problems.push(`the installation was ${before} before the crash`);
    if (after !== "Succeeded") problems.push(`the installation is ${after}`);
    if (exitCode !== 0) problems.push(`keelson cluster create exited with ${exitCode}: ${stderr.trim()}`);
  }
  if (suspension !== undefined) {
    // The supervisor writes the status file, so this file does not show a suspension of the supervisor itself.
    if (!suspension.isShown && each.victim !== "supervisor") problems.push("not shown as not responding");
    if (suspension.replaced.length > 0) problems.push(`replaced: ${suspension.replaced.join(", ")}`);
  }
  return problems.map((text) => `${caseName(each)}: ${text}`);
}

/** Returns all missed goals of a case, one line each. */
export function missedGoals(row: CrashRow): readonly string[] {
  const { case: each, result } = row;
  // A suspended process responds only after it continues, so there is no time goal.
  if (result === undefined || each.signal === "SIGSTOP") return lostOrFailed(row);
  const late = probeNames
    .filter((name) => (result.outages[name].servingMs ?? Number.POSITIVE_INFINITY) > goalMs(each))
    .map((name) => `${caseName(each)}: ${name} not served within ${goalMs(each)} ms`);
  return [...lostOrFailed(row), ...late];
}

/** Returns the result table with one row per case. The first row is the header. */
export function tableOf(rows: readonly CrashRow[]): readonly (readonly string[])[] {
  const head = [
    ...probeNames.map((name) => `${name} ms`),
    "lost",
    "twice",
    "install",
    "clients saw",
    "load",
    "goals",
  ];
  return [["case", ...head], ...rows.map(lineOf)];
}

function lineOf(row: CrashRow): readonly string[] {
  const { result, repeatedSteps = [] } = row;
  const missed = missedGoals(row).length;
  const last = [row.load.toFixed(1), missed === 0 ? "met" : `${missed} missed`];
  if (result === undefined)
    return [caseName(row.case), ...probeNames.map(() => "-"), "-", "-", "-", "-", ...last];
  const { outages, writes, install } = result;
  return [
    caseName(row.case),
    ...probeNames.map((name) => `${outages[name].servingMs ?? "never"}`),
    `${writes.arm.lost + writes.kube.lost} of ${writes.arm.acknowledged + writes.kube.acknowledged}`,
    `${repeatedSteps.length}`,
    install?.after ?? "-",
    seen(result),
    ...last,
  ];
}

/** Formats the clients' failures by kind. Leaves out the client that runs `keelson status`. */
function seen({ outages, writes }: CaseResult): string {
  const counts = new Map<string, number>();
  const clients = [outages.arm, outages.kube, outages.portal, writes.arm, writes.kube];
  for (const { failures } of clients)
    for (const [kind, count] of Object.entries(failures)) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ") || "-";
}
