/** What is wrong with a file of a catalogue. */
export interface Finding {
  /**
   * `error`: its object cannot be installed. `warning`: it can, but a part of it never works, a tag that means a missing
   * tag for example.
   */
  readonly severity: "error" | "warning";
  readonly message: string;
}

export const error = (message: string): Finding => ({ severity: "error", message });
export const warning = (message: string): Finding => ({ severity: "warning", message });

/** The first few of many, so that one hostile file fills no report. */
export function firstFindings(findings: readonly Finding[], most = 20): readonly Finding[] {
  if (findings.length <= most) return findings;
  const errors = findings.filter(({ severity }) => severity === "error");
  const ordered = [...errors, ...findings.filter(({ severity }) => severity === "warning")];
  const left = ordered.length - most;
  const severity = errors.length > most ? "error" : "warning";
  return [...ordered.slice(0, most), { severity, message: `and ${left} more` }];
}
