import { burnAlerts, type ServiceAlertGroup } from "./burn-alerts.ts";

const requests = "frontend_request_duration_seconds";
const operations = "backend_operations_total";

/** Service level objectives over 30 days. */
export const objectiveAlerts: ServiceAlertGroup = {
  name: "keelson-objectives",
  title: "Objectives of the service",
  alerts: [
    ...burnAlerts({
      name: "KeelsonApiErrorsBurn",
      objective: "99.9 % of ARM API requests without 5xx",
      budget: 0.001,
      failedPart: (window) =>
        `sum(rate(${requests}_count{code=~"5.."}[${window}])) / sum(rate(${requests}_count[${window}]))`,
      actions: [
        "If `KeelsonDatabase...` alerts fire at the same time, follow their runbooks first. Responses 503 with `Retry-After` mean that the database does not respond, or rejects writes.",
        "Read the route, status and `correlationId` of failed requests in the audit log (`logKind: audit`). Log lines with the same `correlationId` contain the cause.",
        "If the errors began with a deployment, [roll back the region](deploy.md#roll-back-a-region). For other installations, see [Operate PostgreSQL](howto/operate-postgresql.md#rolling-upgrade-and-rollback).",
      ],
    }),
    ...burnAlerts({
      name: "KeelsonApiLatencyBurn",
      objective: "99 % of ARM API requests below 1 s",
      budget: 0.01,
      failedPart: (window) =>
        `1 - sum(rate(${requests}_bucket{le="1"}[${window}])) / sum(rate(${requests}_count[${window}]))`,
      actions: [
        "Check `database_statement_duration_seconds` and `database_pool_waiting`. High values mean that the database is slow.",
        "Check `client_azure_duration_seconds`. High values mean that validation requests wait for Azure.",
        "If `KeelsonEventLoopStalled` fires, the log contains the stack of the code that blocks the process.",
      ],
    }),
    ...burnAlerts({
      name: "KeelsonCreationBurn",
      objective: "99 % of cluster creations succeed (errors of customers are not counted)",
      budget: 0.01,
      failedPart: (window) =>
        `sum(increase(${operations}{operation="Creating",result="server_error"}[${window}])) / sum(increase(${operations}{operation="Creating",result=~"success|server_error"}[${window}]))`,
      actions: [
        'Query `backend_openshiftcluster_step_duration_seconds_count{operation="Creating",outcome="failed"}` to find the failed step.',
        "Find the log lines of the operation by its `operationId`. They contain the error, and lines with `diagnostics` contain the state of the cluster.",
      ],
    }),
  ],
};
