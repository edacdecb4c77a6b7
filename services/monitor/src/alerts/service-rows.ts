import type { ChartRow } from "./grafana.ts";
import { gauge, quantiles, rate } from "./service-panels.ts";

const requests = "frontend_request_duration_seconds";

const frontend: ChartRow = {
  title: "Frontend (ARM API)",
  charts: [
    rate(
      "Requests per second by status",
      "Requests to the ARM API and the admin API.",
      `${requests}_count`,
      ["code"],
      "reqps",
    ),
    quantiles(
      "Request duration",
      "Median and 99th percentile of all requests.",
      requests,
      [],
      ["0.5", "0.99"],
    ),
    quantiles(
      "Slowest routes",
      "99th percentile of the ten slowest routes.",
      requests,
      ["verb", "route"],
      ["0.99"],
    ),
    rate(
      "Server errors by route",
      "Responses with a status of 500 or above.",
      `${requests}_count{code=~"5.."}`,
      ["verb", "route", "code"],
      "reqps",
    ),
    {
      title: "Burn rate of the error budget",
      description:
        "1 uses up the budget of 30 days in exactly 30 days. KeelsonApiErrorsBurnFast fires above 14.4, KeelsonApiErrorsBurnSlow above 6.",
      queries: ["1h", "6h"].map((window) => ({
        expr: `sum(rate(${requests}_count{code=~"5.."}[${window}])) / sum(rate(${requests}_count[${window}])) / 0.001`,
        legend: window,
      })),
    },
    rate(
      "Dropped unauthenticated connections",
      "Connections beyond the limits of one address, of the process, or of the time to authenticate.",
      "frontend_connections_dropped_total",
      ["reason"],
    ),
    {
      title: "Unplanned actions of administrators in progress",
      description: "Clusters that an administrator's action changes now.",
      queries: [{ expr: "count(frontend_maintenance_unplanned) or vector(0)", legend: "clusters" }],
    },
  ],
};

const backend: ChartRow = {
  title: "Backend (operations of clusters)",
  charts: [
    {
      title: "Workers and waiting operations",
      description: "Busy workers of all processes, and operations that wait for a worker.",
      queries: [
        { expr: "sum(backend_openshiftcluster_workers_count)", legend: "busy with clusters" },
        { expr: "sum(backend_subscriptions_workers_count)", legend: "busy with subscriptions" },
        { expr: "max(database_openshiftclusters_queue_length)", legend: "waiting" },
      ],
    },
    gauge(
      "Waiting operations by priority",
      "Operations that a stopped worker had begun precede fresh operations.",
      "backend_queue_operations",
      { labels: ["priority"] },
    ),
    gauge(
      "Age of the oldest unfinished operation",
      "KeelsonOperationStuck fires above four hours.",
      "backend_oldest_operation_seconds",
      { unit: "s" },
    ),
    quantiles(
      "Wait for the first worker",
      "Time from the request of an operation until its first worker starts it.",
      "backend_queue_wait_seconds",
      ["provisioningState"],
      ["0.95"],
    ),
    {
      title: "Finished operations per hour by result",
      description: "Errors of users have a status below 500.",
      queries: [
        {
          expr: "sum by (operation, result) (increase(backend_operations_total[1h]))",
          legend: "{{operation}} {{result}}",
        },
      ],
    },
    quantiles(
      "Duration of operations",
      "Time from the request of an operation until its end.",
      "backend_openshiftcluster_duration_seconds",
      ["oldProvisioningState", "newProvisioningState"],
      ["0.95"],
    ),
    rate(
      "Failed steps",
      "Steps of operations that failed, including attempts that are repeated.",
      'backend_openshiftcluster_step_duration_seconds_count{outcome="failed"}',
      ["operation", "step"],
    ),
    rate(
      "Failures of workers outside of steps",
      "The worker retries them a limited number of times.",
      "backend_openshiftcluster_failures_total",
      ["stage", "code"],
    ),
    rate(
      "Lost leases",
      "Leases that expired while a worker was busy. Other workers resume the operations.",
      "backend_lease_losses_total",
      ["collection"],
    ),
    rate(
      "Failed requests to Azure",
      "Each attempt, by resource provider or host.",
      "client_azure_errors_total",
      ["client", "code"],
      "reqps",
    ),
    quantiles(
      "Duration of requests to Azure",
      "99th percentile of the ten slowest resource providers or hosts.",
      "client_azure_duration_seconds",
      ["client"],
      ["0.99"],
    ),
  ],
};

const database: ChartRow = {
  title: "Database",
  charts: [
    gauge(
      "Blocked writes by cause",
      "1 while the database rejects or blocks writes. Reads may succeed.",
      "database_writes_blocked",
      { labels: ["cause"] },
    ),
    gauge(
      "Connections by state",
      "Open connections of the pools of all processes.",
      "database_pool_connections",
      {
        sum: true,
        labels: ["state"],
      },
    ),
    gauge(
      "Statements that wait for a connection",
      "KeelsonDatabasePoolExhausted fires after five minutes.",
      "database_pool_waiting",
      { labels: ["job", "instance"] },
    ),
    rate(
      "Lost and failed connections",
      "KeelsonDatabaseUnreachable fires above ten in five minutes.",
      "database_connection_errors_total",
      ["job", "instance"],
    ),
    quantiles(
      "Slowest statements",
      "99th percentile of the ten slowest statements, including the wait for a connection.",
      "database_statement_duration_seconds",
      ["statement"],
      ["0.99"],
    ),
    rate(
      "Statements per second",
      "Statements of all processes by outcome.",
      "database_statement_duration_seconds_count",
      ["outcome"],
    ),
    gauge(
      "Documents under old encryption keys",
      "Documents with secrets that are not yet encrypted with the current key.",
      "database_documents_under_old_keys",
      { labels: ["collection"] },
    ),
    rate(
      "Reads of the encryption keys",
      "Repeated reads from a file or a key vault.",
      "encryption_key_readings_total",
      ["outcome"],
    ),
  ],
};

const portal: ChartRow = {
  title: "Portal",
  charts: [
    gauge("Portals that are ready", "Processes that serve the portal.", "portal_heartbeat", { sum: true }),
    {
      title: "Memory of portals",
      description: "Resident memory of each process.",
      unit: "bytes",
      queries: [{ expr: 'process_resident_memory_bytes{job="keelson-portal"}', legend: "{{instance}}" }],
    },
    {
      title: "Event loop delay of portals",
      description: "99th percentile. A high value delays every page.",
      unit: "s",
      queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds{job="keelson-portal"}', legend: "{{instance}}" }],
    },
  ],
};

const gateway: ChartRow = {
  title: "Gateway (egress of clusters)",
  charts: [
    gauge("Gateways that accept connections", "Processes of the gateway.", "gateway_heartbeat", {
      sum: true,
    }),
    gauge("Open connections", "Connections of clusters by protocol.", "gateway_connections_open", {
      sum: true,
      labels: ["protocol"],
    }),
    rate(
      "New connections by decision",
      "Connections of clusters that the gateway allowed or denied.",
      "gateway_connections_total",
      ["protocol", "action"],
    ),
    rate("Connections without a host name", "TLS connections that name no host.", "gateway_no_host_total", [
      "action",
    ]),
    {
      title: "Time since the last read of the database",
      description: "KeelsonGatewayStale fires above two minutes.",
      unit: "s",
      queries: [
        { expr: "time() - min by (instance) (gateway_last_change_feed_seconds)", legend: "{{instance}}" },
      ],
    },
  ],
};

const maintenance: ChartRow = {
  title: "Maintenance",
  charts: [
    {
      title: "Workers and waiting tasks",
      description: "Busy workers of the actuators and schedulers, and due tasks that wait for a worker.",
      queries: [
        { expr: "sum(mimo_actuator_workers_active_count)", legend: "actuator" },
        { expr: "sum(mimo_scheduler_workers_active_count)", legend: "scheduler" },
        { expr: "max(database_maintenancemanifests_queue_length)", legend: "waiting" },
      ],
    },
    {
      title: "Finished tasks per hour by state",
      description: "Tasks that ended, or that are tried again.",
      queries: [
        {
          expr: "sum by (state) (increase(mimo_actuator_manifests_count_total[1h]))",
          legend: "{{state}}",
        },
      ],
    },
    {
      title: "Planned and cancelled tasks per hour",
      description: "Tasks that schedules created, or that no longer match their schedule.",
      queries: [
        { expr: "sum(increase(mimo_scheduler_manifests_created_total[1h]))", legend: "created" },
        { expr: "sum(increase(mimo_scheduler_manifests_cancelled_total[1h]))", legend: "cancelled" },
      ],
    },
    rate(
      "Lost leases of tasks",
      "Leases that expired while a worker was busy.",
      "mimo_actuator_lease_losses_total",
      ["instance"],
    ),
  ],
};

const monitor: ChartRow = {
  title: "Monitor",
  charts: [
    {
      title: "Collections from clusters",
      description: "Running collections, and due collections that wait for the end of other collections.",
      queries: [
        { expr: "sum(monitor_workers_active_count)", legend: "running" },
        { expr: "sum(monitor_workers_waiting_count)", legend: "waiting" },
      ],
    },
    rate(
      "Late collections",
      "Collections that began more than a sixth of their period late.",
      "monitor_workers_late_total",
      ["instance"],
    ),
    rate(
      "Collections that exceeded their time limit",
      "By process of the monitor.",
      "monitor_main_timedout_total",
      ["instance"],
    ),
    rate(
      "Collections that failed with an internal error",
      "By process of the monitor.",
      "monitor_cluster_failedworker_total",
      ["instance"],
    ),
  ],
};

const mirror: ChartRow = {
  title: "Mirror",
  charts: [
    {
      title: "Time since the last complete run",
      description: "Runs of keelson mirror that copied every image. KeelsonMirrorStale fires above two days.",
      unit: "s",
      queries: [{ expr: "time() - max by (instance) (mirror_last_success_seconds)", legend: "{{instance}}" }],
    },
    gauge("Images of the last run by result", "Images of the last run of keelson mirror.", "mirror_images", {
      labels: ["instance", "result"],
    }),
    gauge(
      "Duration of the last run",
      "Time from the start of the last run to its end.",
      "mirror_duration_seconds",
      {
        labels: ["instance"],
        unit: "s",
      },
    ),
  ],
};

export const processes: ChartRow = {
  title: "Processes",
  charts: [
    {
      title: "Processes that respond",
      description: "Scraped processes by job.",
      queries: [{ expr: 'sum by (job) (up{job=~"keelson.*"})', legend: "{{job}}" }],
    },
    {
      title: "Memory",
      description: "Resident memory of each process.",
      unit: "bytes",
      queries: [{ expr: 'process_resident_memory_bytes{job=~"keelson.*"}', legend: "{{job}} {{instance}}" }],
    },
    {
      title: "CPU",
      description: "Used CPU time of each process, in CPUs.",
      queries: [
        {
          expr: 'rate(process_cpu_seconds_total{job=~"keelson.*"}[5m])',
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Event loop delay",
      description: "99th percentile of each process.",
      unit: "s",
      queries: [
        {
          expr: 'nodejs_eventloop_lag_p99_seconds{job=~"keelson.*"}',
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Blocked event loops per hour",
      description:
        "Times at which an event loop was blocked for a second or longer. The log contains the stacks.",
      queries: [
        {
          expr: "sum by (job, instance) (increase(process_event_loop_stalls_total[1h]))",
          legend: "{{job}} {{instance}}",
        },
      ],
    },
    {
      title: "Remaining validity of certificates",
      description: "By field of the configuration. KeelsonServiceCertificateExpiring fires below 14 days.",
      unit: "s",
      queries: [
        {
          expr: "min by (certificate) (service_certificate_expiry_seconds) - time()",
          legend: "{{certificate}}",
        },
      ],
    },
    rate(
      "Dropped samples",
      "Metrics that a statsd daemon or an OpenTelemetry collector did not accept.",
      "telemetry_samples_dropped_total",
      ["sink"],
    ),
  ],
};

/** Rows of the service's dashboard. */
export const serviceRows: readonly ChartRow[] = [
  frontend,
  backend,
  database,
  portal,
  gateway,
  mirror,
  maintenance,
  monitor,
  processes,
];
