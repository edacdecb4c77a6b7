/** Command of the tour with its expected result. */
export interface TourStep {
  /**
   * Command line after `kubectl`. Single quotes group words. `NS` stands for the tour's namespace, `NODE` for
   * its node.
   */
  readonly command: string;
  /** Expected standard output and standard error together. */
  readonly says?: RegExp;
  readonly saysNot?: RegExp;
  /** Exit code. Default: 0. */
  readonly code?: number;
  readonly input?: string | object;
  /** First minor version of kubectl with the command. */
  readonly since?: number;
  /** Last minor version with the command. */
  readonly until?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Splits a command at spaces outside of single quotes. */
export function words(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}
