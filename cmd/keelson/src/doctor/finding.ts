import type { Clock } from "@keelson/base";

/** `skipped`: the check did not run, because a prerequisite failed. */
type FindingStatus = "ok" | "warning" | "failed" | "skipped";

/** Result of a check. */
export interface Finding {
  readonly check: string;
  readonly status: FindingStatus;
  readonly summary: string;
  /** Suggested fix of a warning or failure. */
  readonly remedy?: string;
  /** Shell command that shows the cause or fixes it. Words in angle brackets must be replaced. */
  readonly command?: string;
}

/** Remaining validity in days below which a check warns about a certificate or secret. */
export const soonDays = 30;

/** Returns the number of complete days until `end`. Negative if `end` has passed. */
export function daysUntil(end: Date, clock: Clock): number {
  return Math.floor((end.getTime() - clock.now().getTime()) / 86_400_000);
}

export function ok(check: string, summary: string): Finding {
  return { check, status: "ok", summary };
}

export function skipped(check: string, summary: string): Finding {
  return { check, status: "skipped", summary };
}

export function warning(check: string, summary: string, remedy: string, command: string): Finding {
  return { check, status: "warning", summary, remedy, command };
}

export function failed(check: string, summary: string, remedy: string, command: string): Finding {
  return { check, status: "failed", summary, remedy, command };
}
