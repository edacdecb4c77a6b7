import type { Dashboard } from "@grafana/schema";
import { createDashboard, firingAlerts, stat } from "./grafana.ts";
import { serviceAlertGroups } from "./service-alerts.ts";
import { serviceRows } from "./service-rows.ts";

const requests = "frontend_request_duration_seconds";

/** Returns the Grafana dashboard of the service. It shows the objectives and firing alerts, then one row per component. */
export function serviceDashboard(): Dashboard {
  const failed = `sum(rate(${requests}_count{code=~"5.."}[1h])) / sum(rate(${requests}_count[1h]))`;
  const fast = `sum(rate(${requests}_bucket{le="1"}[1h])) / sum(rate(${requests}_count[1h]))`;
  const ended = (results: string) =>
    `sum(increase(backend_operations_total{operation="Creating",result=~"${results}"}[6h]))`;
  return createDashboard({
    title: "Keelson: service",
    uid: "keelson-service",
    variables: [],
    overview: [
      stat("ARM API requests without 5xx (1 h)", `1 - (${failed})`, 0, 0, "percentunit"),
      stat("ARM API requests below 1 s (1 h)", fast, 4, 0, "percentunit"),
      stat(
        "Creations without service errors (6 h)",
        `${ended("success")} / ${ended("success|server_error")}`,
        8,
        0,
        "percentunit",
      ),
      stat("Processes that do not respond", 'count(up{job=~"keelson.*"} == 0) or vector(0)', 0, 4),
      stat("Operations without a worker", "max(database_openshiftclusters_queue_length)", 4, 4),
      stat("Database refuses writes", "max(database_writes_blocked)", 8, 4),
      firingAlerts(
        serviceAlertGroups.flatMap(({ alerts }) => alerts.map(({ name }) => name)),
        12,
      ),
    ],
    rows: serviceRows,
  });
}
