import type { Alert } from "./alert.ts";

/** Alert about the service itself. Its expression uses metrics of the service's processes. */
export interface ServiceAlert
  extends Pick<Alert, "name" | "forMinutes" | "severity" | "summary" | "meaning" | "actions"> {
  readonly expression: string;
}

/** Group of alert rules about the service. It is also a chapter of the runbooks. */
export interface ServiceAlertGroup {
  readonly name: string;
  readonly title: string;
  readonly alerts: readonly ServiceAlert[];
}

/** Time windows in which a burn rate is measured. At this burn rate, the error budget of 30 days is used up after `days` days. */
interface BurnRate {
  readonly long: "1h" | "6h";
  readonly short: "5m" | "30m";
  readonly factor: number;
  readonly severity: "critical" | "warning";
  readonly days: string;
}

const durationOf = {
  "1h": "hour",
  "5m": "five minutes",
  "6h": "six hours",
  "30m": "30 minutes",
} as const;

const burnRates: readonly BurnRate[] = [
  { long: "1h", short: "5m", factor: 14.4, severity: "critical", days: "two days" },
  { long: "6h", short: "30m", factor: 6, severity: "warning", days: "five days" },
];

export interface Objective {
  /** Common name prefix of the objective's two alerts. */
  readonly name: string;
  /** Objective in one sentence, for example "ARM API: 99.9 % of requests without 5xx". */
  readonly objective: string;
  /** Fraction of events that may fail, for example 0.001. */
  readonly budget: number;
  /** Returns a PromQL expression for the fraction of failed events within a window. */
  readonly failedPart: (window: string) => string;
  readonly actions: readonly string[];
}

/**
 * Returns the two alerts of an objective. An alert fires only if the burn rate is exceeded in both the long and the short window.
 * The short window ends the alert soon after the end of the fault.
 */
export function burnAlerts({
  name,
  objective,
  budget,
  failedPart,
  actions,
}: Objective): readonly ServiceAlert[] {
  return burnRates.map(({ long, short, factor, severity, days }) => {
    const limit = Number((factor * budget).toPrecision(3));
    return {
      name: `${name}${severity === "critical" ? "Fast" : "Slow"}`,
      expression: `${failedPart(long)} > ${limit} and ${failedPart(short)} > ${limit}`,
      forMinutes: severity === "critical" ? 2 : 15,
      severity,
      summary: `Objective "${objective}": at the current failure rate, its error budget of 30 days is used up within ${days}.`,
      meaning: `The service level objective over 30 days is: ${objective}. More than ${Number((limit * 100).toPrecision(3))} % of the requests or operations missed the objective both in the last ${durationOf[long]} and in the last ${durationOf[short]}.`,
      actions,
    };
  });
}
