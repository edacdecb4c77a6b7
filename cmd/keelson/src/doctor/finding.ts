/** `skipped`: could not be checked, for a reason that is no fault of its own. */
type FindingStatus = "ok" | "warning" | "failed" | "skipped";

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly status: FindingStatus;
  readonly summary: string;
  /** How to mend it; present where something is wrong. */
  readonly remedy?: string;
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
