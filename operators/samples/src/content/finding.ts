/** Problem in a catalogue file. */
export interface Finding {
  /**
   * Severity of the problem. With `error`, the object cannot be installed. With `warning`, a field of the object does not work,
   * for example a reference to a missing tag.
   */
  readonly severity: "error" | "warning";
  readonly message: string;
}

export const error = (message: string): Finding => ({ severity: "error", message });
export const warning = (message: string): Finding => ({ severity: "warning", message });

/** Returns the first findings up to a limit. Without the limit, a hostile file could produce a huge report. */
export function firstFindings(findings: readonly Finding[], most = 20): readonly Finding[] {
  if (findings.length <= most) return findings;
  const errors = findings.filter(({ severity }) => severity === "error");
  const ordered = [...errors, ...findings.filter(({ severity }) => severity === "warning")];
  const left = ordered.length - most;
  const severity = errors.length > most ? "error" : "warning";
  return [...ordered.slice(0, most), { severity, message: `and ${left} more` }];
}
