import type { Collector } from "../cluster/collector.ts";

/** When people are called, and what they do. */
export interface Alert {
  readonly name: string;
  /** As it is declared with its collector, or with the monitor's own. */
  readonly metric: string;
  /** Which of its series count, in Prometheus' terms: `="True"`, `=~"a|b"`. */
  readonly where?: Readonly<Record<string, string>>;
  /** Series that do not count although `where` selects them, each as matchers. */
  readonly except?: readonly Readonly<Record<string, string>>[];
  /** Dimensions that make alerts of their own, beside the cluster. */
  readonly by?: readonly string[];
  /** What is compared: the value, or how much it rose within a time. */
  readonly risenWithin?: "15m" | "1h";
  /** For example `< 21`. */
  readonly condition: string;
  readonly forMinutes: number;
  /** `critical` calls people, `warning` is for the next working day. */
  readonly severity: "critical" | "warning";
  /** One line. */
  readonly summary: string;
  /** What it says about the cluster, or the monitor, and whom it concerns. */
  readonly meaning: string;
  /** Steps, in their order. */
  readonly actions: readonly string[];
}

/** A chapter of the runbooks, a group of rules and a row of the dashboard. */
export interface AlertGroup {
  readonly name: string;
  readonly title: string;
  readonly alerts: readonly Alert[];
  /** Collectors whose metrics it shows beside those of its alerts. */
  readonly collectors: readonly Collector["name"][];
}
