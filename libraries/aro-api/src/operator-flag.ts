/** Allowed values of a flag. A `tri-state` flag can be on or off. With any other value, the operator changes nothing. */
type FlagValues = "switch" | "tri-state" | "whole number" | "text" | readonly string[];

export interface OperatorFlag {
  readonly values: FlagValues;
  /** Value on new clusters. Undefined for flags that are set only manually. */
  readonly default?: string;
  /**
   * Value that the next maintenance sets on clusters that were created before the flag existed. Required for every new flag with
   * a default. Flags of the first release have no such value, so they stay unset on clusters that were created before them.
   */
  readonly onOlderClusters?: string;
}
