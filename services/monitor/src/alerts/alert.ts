import type { Collector } from "../cluster/collector.ts";

/** Alert with its condition and the remedy. */
export interface Alert {
  readonly name: string;
  /** Metric name from its declaration by a collector or by the monitor. */
  readonly metric: string;
  /** Prometheus matchers of the selected series by label: `="True"`, `=~"a|b"`. */
  readonly where?: Readonly<Record<string, string>>;
  /** Matchers of series to exclude from the selection. */
  readonly except?: readonly Readonly<Record<string, string>>[];
  /** Additional dimensions. Each combination of cluster and dimension values has a separate alert. */
  readonly by?: readonly string[];
  /** Time range in which the metric's increase is compared. Default: the metric's value is compared. */
  readonly risenWithin?: "15m" | "1h";
  /** Comparison in PromQL, for example `< 21`. */
  readonly condition: string;
  readonly forMinutes: number;
  /** Severity of the alert. `critical` pages a person. `warning` can wait until the next working day. */
  readonly severity: "critical" | "warning";
  /** Single line. */
  readonly summary: string;
  /** Effect on the cluster or the monitor, with the affected users. */
  readonly meaning: string;
  /** Remedy as a list of steps in order. */
  readonly actions: readonly string[];
}

/** Chapter of the runbooks. It is also a group of alert rules and a row of the dashboard. */
export interface AlertGroup {
  readonly name: string;
  readonly title: string;
  readonly alerts: readonly Alert[];
  /** Names of collectors. Their metrics are shown in addition to the metrics of the group's alerts. */
  readonly collectors: readonly Collector["name"][];
}
