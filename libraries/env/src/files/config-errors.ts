import { defineErrors } from "@keelson/base";

/** Errors of configuration files. Messages name the file and the field. */
export const configErrors = defineErrors({ InvalidConfiguration: { retry: "never" } });

/** Configuration after the defaults were applied, with a description of each fault. */
export interface CheckedConfig {
  readonly config: unknown;
  readonly faults: readonly string[];
  /** Ignored fields of a newer schema version. */
  readonly warnings: readonly string[];
}

/** Receives the warnings of a configuration each time it is read. The list is empty if there is no warning. */
export type OnConfigWarnings = (warnings: readonly string[]) => void;

/** Creates an error that lists all faults. Several faults are on separate lines. `source` is the path of the file. */
export function invalidConfiguration(source: string, faults: readonly string[]): Error {
  const [only, ...others] = faults;
  if (others.length === 0) return configErrors.InvalidConfiguration(`${source}: ${only}`);
  const lines = faults.map((fault) => `\n  ${fault}`);
  return configErrors.InvalidConfiguration(`${source} has ${faults.length} faults:${lines.join("")}`);
}
