import type { ClusterContext } from "../context.ts";

/** What one look at a cluster has found. */
export interface Finding {
  /** For the log, a line each. */
  readonly facts: readonly Readonly<Record<string, unknown>>[];
  /** What is out of order, for whoever waits for the operation; absent when nothing is. */
  readonly summary?: string;
}

/** One place to look at when an operation has failed. */
export interface DiagnosticSource {
  readonly name: string;
  /** Only worth a look while the cluster is being installed. */
  readonly ofInstallsOnly: boolean;
  /** The longest that a look takes. */
  readonly limitMs: number;
  /** Throws when it cannot be looked at; `undefined` when there is nothing to look at yet. */
  look(context: ClusterContext): Promise<Finding | undefined>;
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
