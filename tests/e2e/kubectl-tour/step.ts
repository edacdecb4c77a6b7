/** One command of the tour and what a user expects of it. */
export interface TourStep {
  /** As typed after `kubectl`; single quotes group words. `NS` stands for the tour's namespace, `NODE` for its node. */
  readonly command: string;
  /** What standard output and standard error say, together. */
  readonly says?: RegExp;
  readonly saysNot?: RegExp;
  /** The exit code: 0 unless given. */
  readonly code?: number;
  readonly input?: string | object;
  /** The first minor version of kubectl that has the command. */
  readonly since?: number;
  /** The last one that has it. */
  readonly until?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Splits a command at spaces outside of single quotes. */
export function words(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}
