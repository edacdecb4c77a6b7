import { burnAlerts, type OwnAlertGroup } from "./own-alert.ts";

const requests = "frontend_request_duration_seconds";
const operations = "backend_operations_total";

/** Service level objectives over 30 days. */
export const objectiveAlerts: OwnAlertGroup = {
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
        "`KeelsonDatabase...` alerts at the same time: begin there. 503 with `Retry-After` is a database that does not respond or accepts no writes.",
        "The audit log (`logKind: audit`) has route, status and `correlationId` of each failed request. Lines of the same `correlationId` have the cause.",
        "Only after a deployment: deploy the version before.",
      ],
    }),
    ...burnAlerts({
      name: "KeelsonApiLatencyBurn",
      objective: "99 % of ARM API requests below 1 s",
      budget: 0.01,
      failedPart: (window) =>
        `1 - sum(rate(${requests}_bucket{le="1"}[${window}])) / sum(rate(${requests}_count[${window}]))`,
      actions: [
        "`database_statement_duration_seconds` and `database_pool_waiting`: a slow database.",
        "`client_azure_duration_seconds`: preflight checks wait for Azure.",
        "`KeelsonEventLoopStalled`: the log has the stack of the code that runs.",
      ],
    }),
    ...burnAlerts({
      name: "KeelsonCreationBurn",
      objective: "99 % of cluster creations succeed, without errors of customers",
      budget: 0.01,
      failedPart: (window) =>
        `sum(increase(${operations}{operation="Creating",result="server_error"}[${window}])) / sum(increase(${operations}{operation="Creating",result=~"success|server_error"}[${window}]))`,
      actions: [
        '`backend_openshiftcluster_step_duration_seconds_count{operation="Creating",outcome="failed"}` names the step.',
        "The log of the operation (`operationId`) has the error, and lines with `diagnostics` have the state of the cluster.",
      ],
    }),
  ],
};
