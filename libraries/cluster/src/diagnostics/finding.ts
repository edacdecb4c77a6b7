import type { ClusterContext } from "../context/context.ts";

/** Findings of a source. */
export interface Finding {
  /** Log lines. */
  readonly facts: readonly Readonly<Record<string, unknown>>[];
  /** Problem for the operation's error. Undefined without a problem. */
  readonly summary?: string;
}

/** A source of diagnostics for failed operations. */
export interface DiagnosticSource {
  readonly name: string;
  /** Only inspected when an install failed. */
  readonly ofInstallsOnly: boolean;
  /** Time limit of `inspect`. */
  readonly limitMs: number;
  /** Rejects when the source cannot be read; `undefined` when there is nothing yet. */
  inspect(context: ClusterContext): Promise<Finding | undefined>;
}

export function finding(facts: Finding["facts"], summary?: string | false): Finding {
  return { facts, ...(summary ? { summary } : {}) };
}

const shownNames = 10;

/** The first few of many. */
export function enumeration(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join(", ");
  return names.length > shownNames ? `${shown} and ${names.length - shownNames} more` : shown;
}
