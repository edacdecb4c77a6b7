import type { Collector } from "../cluster/collector.ts";

/** Alert with its condition and the remedy. */
export interface Alert {
  readonly name: string;
  /** Name as declared with its collector or with the monitor's own metrics. */
  readonly metric: string;
  /** Selected series as Prometheus matchers: `="True"`, `=~"a|b"`. */
  readonly where?: Readonly<Record<string, string>>;
  /** Selected series to exclude, each as matchers. */
  readonly except?: readonly Readonly<Record<string, string>>[];
  /** Dimensions, in addition to the cluster, that create separate alerts. */
  readonly by?: readonly string[];
  /** Time range of the increase to compare. Default: the value itself is compared. */
  readonly risenWithin?: "15m" | "1h";
  /** Comparison, for example `< 21`. */
  readonly condition: string;
  readonly forMinutes: number;
  /** `critical` pages people, `warning` is for the next working day. */
  readonly severity: "critical" | "warning";
  /** Single line. */
  readonly summary: string;
  /** Meaning for the cluster or the monitor, and the affected users. */
  readonly meaning: string;
  /** Steps in their order. */
  readonly actions: readonly string[];
}

/** A chapter of the runbooks, a group of rules and a row of the dashboard. */
export interface AlertGroup {
  readonly name: string;
  readonly title: string;
  readonly alerts: readonly Alert[];
  /** Collectors with metrics that are shown next to those of its alerts. */
  readonly collectors: readonly Collector["name"][];
}
