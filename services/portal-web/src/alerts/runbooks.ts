import runbooksJson from "./runbooks.json" with { type: "json" };

export interface RunbookText {
  readonly severity: string;
  readonly summary: string;
  readonly meaning: string;
  /** Steps in their order. Code is in backticks, as in the other strings. */
  readonly actions: readonly string[];
}

/** Runbooks of docs/runbooks.md, by the name of the alert. */
export const runbooks: ReadonlyMap<string, RunbookText> = new Map(Object.entries(runbooksJson));
