import type { Collector } from "../cluster/collector.ts";

/** Alert with its condition and the remedy. */
export interface Alert {
  readonly name: string;
  /** Metric name, as a collector or the monitor declares it. */
  readonly metric: string;
  /** Prometheus matchers by label that select series. Examples: `="True"`, `=~"a|b"`. */
  readonly where?: Readonly<Record<string, string>>;
  /**
   * Matchers by label that exclude series from those that `where` selects. Each entry of the list excludes the series that match
   * all of its matchers.
   */
  readonly except?: readonly Readonly<Record<string, string>>[];
  /**
   * Alerts with these names exclude, while they fire, series of the same cluster that have the same values of the labels `on`. For
   * example, an alert about pods excludes the pods on nodes for which an alert fires. The excluded alert must wait longer.
   */
  readonly unless?: { readonly alerts: readonly string[]; readonly on: readonly string[] };
  /** Labels in addition to those of the cluster. Each combination of their values has a separate alert. */
  readonly by?: readonly string[];
  /** Time range over which the metric's increase is computed. Default: the condition applies to the metric's value. */
  readonly risenWithin?: "15m" | "1h";
  /** Comparison in PromQL, for example `< 21`. */
  readonly condition: string;
  readonly forMinutes: number;
  /** Severity of the alert. `critical` pages a person. `warning` can wait until the next working day. */
  readonly severity: "critical" | "warning";
  /** Single line. */
  readonly summary: string;
  /** Effect on the cluster or the monitor, including which users are affected. */
  readonly meaning: string;
  /** Remedy as a list of steps in order. */
  readonly actions: readonly string[];
}

/** Chapter of the runbooks. It is also a group of alert rules and a row of the dashboard. */
export interface AlertGroup {
  readonly name: string;
  readonly title: string;
  readonly alerts: readonly Alert[];
  /** Collectors with metrics that this chapter shows in addition to the metrics of its alerts. */
  readonly collectors: readonly Collector["name"][];
}
