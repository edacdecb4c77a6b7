import runbooksJson from "./runbooks.json" with { type: "json" };

export interface RunbookText {
  readonly severity: string;
  readonly summary: string;
  readonly meaning: string;
  /** Remedy as steps in order. Code is in backticks, as in all other strings. */
  readonly actions: readonly string[];
}

/** Runbooks from docs/runbooks.md by alert name. */
export const runbooks: ReadonlyMap<string, RunbookText> = new Map(Object.entries(runbooksJson));
