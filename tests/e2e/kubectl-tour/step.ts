/** kubectl command with its expected result. */
export interface TourStep {
  /** Arguments of kubectl. Single quotes group words. `NS` is replaced with the tour's namespace, `NODE` with a node name. */
  readonly command: string;
  /** Expected output. Includes standard output and standard error. */
  readonly says?: RegExp;
  readonly saysNot?: RegExp;
  /** Exit code. Default: 0. */
  readonly code?: number;
  readonly input?: string | object;
  /** First minor version of kubectl that supports the command. */
  readonly since?: number;
  /** Last minor version of kubectl that supports the command. */
  readonly until?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Splits a command at spaces outside of single quotes. */
export function words(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}
