/** Allowed values of a flag. A tri-state switch that is neither on nor off changes nothing. */
type FlagValues = "switch" | "tri-state" | "whole number" | "text" | readonly string[];

export interface OperatorFlag {
  readonly values: FlagValues;
  /** Its value on new clusters; absent for flags that are set by hand only. */
  readonly default?: string;
  /**
   * Value that the next maintenance sets on clusters that are older than the flag. Every new flag with a
   * default must have one. Flags of the first release have none and stay unset where they are missing.
   */
  readonly onOlderClusters?: string;
}
