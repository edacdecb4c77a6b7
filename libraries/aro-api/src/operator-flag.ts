/** Allowed values of a flag. A tri-state switch that is neither on nor off changes nothing. */
type FlagValues = "switch" | "tri-state" | "whole number" | "text" | readonly string[];

export interface OperatorFlag {
  readonly values: FlagValues;
  /** Its value on new clusters; absent for flags that are set by hand only. */
  readonly default?: string;
  /**
   * The value that clusters get which are older than the flag, by their next maintenance. Every flag with a default that
   * is added from now on has one. Those of the first release have none: where they are missing they stay so.
   */
  readonly onOlderClusters?: string;
}
