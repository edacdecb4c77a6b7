import runbooksJson from "./runbooks.json" with { type: "json" };

export interface RunbookText {
  readonly severity: string;
  readonly summary: string;
  readonly meaning: string;
  /** Steps of the remedy in order. In all strings of a runbook, code is in backticks. */
  readonly actions: readonly string[];
}

/** Runbooks from docs/runbooks.md by alert name. */
export const runbooks: ReadonlyMap<string, RunbookText> = new Map(Object.entries(runbooksJson));
