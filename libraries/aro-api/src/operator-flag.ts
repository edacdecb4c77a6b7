/** Allowed values of a flag. A `tri-state` flag that is neither on nor off changes nothing. */
type FlagValues = "switch" | "tri-state" | "whole number" | "text" | readonly string[];

export interface OperatorFlag {
  readonly values: FlagValues;
  /** Value on new clusters. Undefined for flags that are set only manually. */
  readonly default?: string;
  /**
   * Value that the next maintenance sets on clusters that are older than the flag. Required for every new flag with a default.
   * Flags of the first release have no such value and stay unset on older clusters.
   */
  readonly onOlderClusters?: string;
}
