import { type RuleGroup, runbookBase } from "./alert-rules.ts";
import { serviceAlertGroups } from "./service-alerts.ts";

/** Returns the Prometheus rules about the service itself. */
export function serviceAlertRules(): { readonly groups: readonly RuleGroup[] } {
  return {
    groups: serviceAlertGroups.map(({ name, alerts }) => ({
      name,
      rules: alerts.map((alert) => ({
        alert: alert.name,
        expr: alert.expression,
        ...(alert.forMinutes === 0 ? {} : { for: `${alert.forMinutes}m` }),
        labels: { severity: alert.severity },
        annotations: {
          summary: alert.summary,
          description: alert.meaning,
          runbook_url: `${runbookBase}docs/runbooks.md#${alert.name.toLowerCase()}`,
        },
      })),
    })),
  };
}
