import type { Alert } from "./alert.ts";

/** Alert about the service itself, by an expression over the metrics of its processes. */
export interface OwnAlert
  extends Pick<Alert, "name" | "forMinutes" | "severity" | "summary" | "meaning" | "actions"> {
  readonly expression: string;
}

/** Chapter of the runbooks and group of rules. */
export interface OwnAlertGroup {
  readonly name: string;
  readonly title: string;
  readonly alerts: readonly OwnAlert[];
}

/** Windows of a burn rate: the budget of 30 days is used up in `days` if the rate lasts. */
interface BurnRate {
  readonly long: "1h" | "6h";
  readonly short: "5m" | "30m";
  readonly factor: number;
  readonly severity: "critical" | "warning";
  readonly days: string;
}

const burnRates: readonly BurnRate[] = [
  { long: "1h", short: "5m", factor: 14.4, severity: "critical", days: "two days" },
  { long: "6h", short: "30m", factor: 6, severity: "warning", days: "five days" },
];

export interface Objective {
  /** Start of the names of its two alerts. */
  readonly name: string;
  /** One sentence, for example "ARM API: 99.9 % of requests without 5xx". */
  readonly objective: string;
  /** Part of events that may fail, for example 0.001. */
  readonly budget: number;
  /** Part of events that failed within a window, in PromQL. */
  readonly failedPart: (window: string) => string;
  readonly actions: readonly string[];
}

/** The two alerts of an objective. Both windows must burn: the short one ends the alert soon after the fault. */
export function burnAlerts({ name, objective, budget, failedPart, actions }: Objective): readonly OwnAlert[] {
  return burnRates.map(({ long, short, factor, severity, days }) => {
    const limit = Number((factor * budget).toPrecision(3));
    return {
      name: `${name}${severity === "critical" ? "Fast" : "Slow"}`,
      expression: `${failedPart(long)} > ${limit} and ${failedPart(short)} > ${limit}`,
      forMinutes: severity === "critical" ? 2 : 15,
      severity,
      summary: `${objective}: at the current failure rate, the error budget of 30 days is used up within ${days}.`,
      meaning: `The service level objective over 30 days is: ${objective}. More than ${Number((limit * 100).toPrecision(3))} % of the requests or operations missed the objective in the last ${long} and in the last ${short}.`,
      actions,
    };
  });
}
