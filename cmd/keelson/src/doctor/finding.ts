import type { Clock } from "@keelson/base";

/** `skipped`: not checked, because a prerequisite failed. */
type FindingStatus = "ok" | "warning" | "failed" | "skipped";

/** Result of a check. */
export interface Finding {
  readonly check: string;
  readonly status: FindingStatus;
  readonly summary: string;
  /** Suggested fix of a warning or failure. */
  readonly remedy?: string;
}

/** Remaining validity, in days, below which a check warns. */
export const soonDays = 30;

/** Returns the complete days until `end`. Negative if it has passed. */
export function daysUntil(end: Date, clock: Clock): number {
  return Math.floor((end.getTime() - clock.now().getTime()) / 86_400_000);
}

export function ok(check: string, summary: string): Finding {
  return { check, status: "ok", summary };
}

export function skipped(check: string, summary: string): Finding {
  return { check, status: "skipped", summary };
}

export function warning(check: string, summary: string, remedy: string): Finding {
  return { check, status: "warning", summary, remedy };
}

export function failed(check: string, summary: string, remedy: string): Finding {
  return { check, status: "failed", summary, remedy };
}
