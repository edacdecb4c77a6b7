import { boundedText } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { idOf, type Workload } from "./platform-workloads.ts";

/** Grace period in ms for a rollout, reboot or restart. A fault counts only after this period. */
export const graceMs = 5 * 60_000;
const maxLines = 10;
const maxMessage = 1_024;

export interface Verdict {
  readonly condition: Condition;
  /** Time in ms until the next fault exceeds the grace period. Undefined if no fault is within the grace period. */
  readonly nextMs?: number;
}

/**
 * Evaluates the faults at `nowMs`. Faults within the grace period are ignored. `firstSeen` contains the time of the first
 * observation for each fault without a start time. The function adds and removes entries of `firstSeen`.
 */
export function verdictOf(
  workloads: readonly Workload[],
  nowMs: number,
  firstSeen: Map<string, number>,
): Verdict {
  const faulty = workloads.filter(({ fault }) => fault !== undefined);
  const ids = new Set(faulty.map(idOf));
  for (const id of firstSeen.keys()) if (!ids.has(id)) firstSeen.delete(id);
  const lasting: string[] = [];
  let nextMs: number | undefined;
  for (const workload of faulty) {
    const id = idOf(workload);
    const said = Date.parse(workload.fault?.since ?? "");
    const seen = firstSeen.get(id) ?? nowMs;
    firstSeen.set(id, seen);
    // The reported time may come from a clock that is ahead of this clock. Such a time must not postpone a fault indefinitely.
    const ageMs = nowMs - (Number.isNaN(said) ? seen : Math.min(said, seen));
    if (ageMs >= graceMs) lasting.push(`${id}: ${workload.fault?.message}`);
    else nextMs = Math.min(nextMs ?? graceMs, graceMs - ageMs);
  }
  return { condition: conditionOf(lasting), ...(nextMs === undefined ? {} : { nextMs }) };
}

function conditionOf(lasting: readonly string[]): Condition {
  const type = "PlatformWorkloadsReady";
  if (lasting.length === 0)
    return { type, status: "True", reason: "CheckDone", message: "All platform workloads are ready" };
  const more = lasting.length - maxLines;
  const lines = [...lasting.slice(0, maxLines), ...(more > 0 ? [`and ${more} more`] : [])];
  return { type, status: "False", reason: "CheckFailed", message: boundedText(lines.join("\n"), maxMessage) };
}
