import type { ClusterContext } from "../context/context.ts";

/** Result of a diagnostic source. */
export interface Finding {
  /** Log lines. */
  readonly facts: readonly Readonly<Record<string, unknown>>[];
  /** Problem for the operation's error. Undefined if there is no problem. */
  readonly summary?: string;
}

/** Source of diagnostics for failed operations. */
export interface DiagnosticSource {
  readonly name: string;
  /** True if the source is inspected only after a failed installation. */
  readonly ofInstallsOnly: boolean;
  /** Time limit of `inspect` in ms. */
  readonly limitMs: number;
  /** Inspects the source. Rejects if the source cannot be read. Resolves to undefined if there is no state yet. */
  inspect(context: ClusterContext): Promise<Finding | undefined>;
}

export function finding(facts: Finding["facts"], summary?: string | false): Finding {
  return { facts, ...(summary ? { summary } : {}) };
}

const shownNames = 10;

/** Joins the first few names of a long list. */
export function enumeration(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join(", ");
  return names.length > shownNames ? `${shown} and ${names.length - shownNames} more` : shown;
}
