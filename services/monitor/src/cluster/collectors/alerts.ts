import { isOpenShiftNamespace } from "@keelson/admin-actions";
import { type Alert, firingAlerts } from "../alert-manager.ts";
import { defineCollector } from "../collector.ts";

/** Matches alerts about customers' usage, which the service does not need. */
const ignored = /^(ImagePruningDisabled$|InsightsDisabled$|UsingDeprecatedAPI|APIRemovedInNext)/;

interface Group {
  readonly labels: Readonly<Record<"alert" | "target" | "secondary_target", string>>;
  severity: string;
  count: number;
}

export const alerts = defineCollector({
  name: "emitPrometheusAlerts",
  metrics: {
    "prometheus.alerts.count": {
      help: "Number of alerts in Alertmanager, including the customer's alerts.",
      dimensions: [],
    },
    "prometheus.alerts": { help: "Number of platform alerts by name.", dimensions: ["alert", "severity"] },
    "prometheus.targeted.alerts": {
      help: "Number of platform alerts with the labels `target` and `secondary_target`, by name and these labels.",
      dimensions: ["alert", "severity", "target", "secondary_target"],
    },
  },
  async collect({ view, emit, signal }) {
    const all = await firingAlerts(view.kube, signal);
    emit("prometheus.alerts.count", all.length, {});
    for (const { labels, severity, count } of groups(all)) {
      const { alert, target, secondary_target } = labels;
      if (target !== "")
        emit("prometheus.targeted.alerts", count, { alert, severity, target, secondary_target });
      else emit("prometheus.alerts", count, { alert, severity });
    }
  },
});

/**
 * Returns the platform's alerts by name, with their counts. Alerts with the labels `target` and `secondary_target` are counted
 * separately for each combination of name and targets.
 */
export function groups(all: readonly Alert[]): readonly Group[] {
  const found = new Map<string, Group>();
  for (const alert of all) {
    const label = (name: string) => alert.get(name) ?? "";
    if (!isOpenShiftNamespace(label("namespace")) || ignored.test(label("alertname"))) continue;
    const isTargeted = label("target") !== "" && label("secondary_target") !== "";
    const labels = {
      alert: label("alertname"),
      target: isTargeted ? label("target") : "",
      secondary_target: isTargeted ? label("secondary_target") : "",
    };
    const key = Object.values(labels).join("\0");
    const group = found.get(key) ?? { labels, severity: "", count: 0 };
    group.severity = label("severity");
    group.count++;
    found.set(key, group);
  }
  return [...found.values()];
}
