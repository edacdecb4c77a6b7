import type { OwnAlertGroup } from "./own-alert.ts";
import { objectiveAlerts } from "./own-objectives.ts";

const database: OwnAlertGroup = {
  name: "keelson-database",
  title: "Database of the service",
  alerts: [
    {
      name: "KeelsonDatabaseWritesBlocked",
      expression: "max by (cause) (database_writes_blocked) == 1",
      forMinutes: 0,
      severity: "critical",
      summary: "The database accepts no writes: {{ $labels.cause }}.",
      meaning:
        "Reads work. PUT, PATCH, POST and DELETE get 503 with `Retry-After`, and operations of clusters wait. `synchronous_replication`: commits wait for a standby that does not confirm. `refused`: the server returns an error, for example for a full disk. `timeout`: commits do not end.",
      actions: [
        "`keelson doctor` and the log line `the database accepts no writes` have the reason in one sentence.",
        "`synchronous_replication`: start a standby. Or accept that acknowledged writes exist on one server only: `alter system set synchronous_standby_names = ''; select pg_reload_conf();`.",
        "`refused`: free disk space on the PostgreSQL server, the WAL first.",
        "Nothing has to be restarted: writes are accepted within 10 s after the repair.",
      ],
    },
    {
      name: "KeelsonDatabaseUnreachable",
      expression: "sum(increase(database_connection_errors_total[5m])) > 10",
      forMinutes: 1,
      severity: "critical",
      summary: "Connections to the database fail.",
      meaning: "The ARM API returns 503, readiness is lost, and workers resume when the database responds.",
      actions: [
        "`keelson doctor`: the finding `database` has the error of the connection.",
        "`too many connections`: sum of `database_pool_connections` against `max_connections` of the server.",
        "After a failover the address must lead to the new primary: a standby is refused.",
      ],
    },
    {
      name: "KeelsonDatabasePoolExhausted",
      expression: "max(database_pool_waiting) > 0",
      forMinutes: 5,
      severity: "warning",
      summary: "Statements wait for a connection of the pool.",
      meaning:
        "All connections of a process are busy for minutes: the database is slow, or `maxConnections` is too small.",
      actions: [
        "`database_statement_duration_seconds` by `statement`: one slow statement, or all.",
        "Raise `database.maxConnections` if the server has room.",
      ],
    },
    {
      name: "KeelsonDatabaseSlow",
      expression:
        "histogram_quantile(0.99, sum by (le, statement) (rate(database_statement_duration_seconds_bucket[10m]))) > 1",
      forMinutes: 10,
      severity: "warning",
      summary: "1 % of the statements {{ $labels.statement }} take longer than a second.",
      meaning: "Requests and heartbeats of leases become slow. Leases are lost beyond `leaseMs`.",
      actions: [
        "`pg_stat_activity` on the server: `wait_event` of the sessions of `keelson`.",
        "`vacuum (analyze)` of the table if its dead rows exceed its rows (`pg_stat_user_tables`).",
      ],
    },
    {
      name: "KeelsonEncryptionKeysUnread",
      expression: 'sum(increase(encryption_key_readings_total{outcome="failed"}[30m])) > 3',
      forMinutes: 0,
      severity: "warning",
      summary: "Encryption keys cannot be read again.",
      meaning:
        "Running processes keep their keys. A process that starts fails, and a rotation does not take effect.",
      actions: [
        "The log line `encryption keys cannot be read` has the reason: file, vault, or its firewall.",
      ],
    },
  ],
};

const work: OwnAlertGroup = {
  name: "keelson-work",
  title: "Work of the service",
  alerts: [
    {
      name: "KeelsonProcessDown",
      expression: 'up{job=~"keelson.*"} == 0',
      forMinutes: 3,
      severity: "critical",
      summary: "{{ $labels.job }} on {{ $labels.instance }} does not respond.",
      meaning: "The process stopped, hangs, or the network between it and Prometheus is interrupted.",
      actions: [
        "`systemctl status keelson-PART` and `journalctl -u keelson-PART` on the machine.",
        "A process that hangs has no log lines: end it with SIGABRT, keep the core, and let systemd start it again. `KeelsonEventLoopStalled` before has the stack.",
      ],
    },
    {
      name: "KeelsonQueueGrowing",
      expression: "max(database_openshiftclusters_queue_length) > 10",
      forMinutes: 15,
      severity: "warning",
      summary: "{{ $value }} operations wait for a worker.",
      meaning: "Workers are fewer than operations, or do not take any.",
      actions: [
        "Sum of `backend_openshiftcluster_workers_count` at its limit (`workers` of each `rp`): start a further `rp`.",
        "Far below the limit: `KeelsonDatabase...` alerts, or one subscription at its limit (`operationsPerSubscription`).",
      ],
    },
    {
      name: "KeelsonOperationStuck",
      expression: "max(backend_oldest_operation_seconds) > 14400",
      forMinutes: 5,
      severity: "warning",
      summary: "An operation is unfinished for more than four hours.",
      meaning: "An install takes about 45 minutes and ends after at most three hours.",
      actions: [
        "The portal's page of the cluster shows the step and its attempts. `operationId` in the log has its errors.",
        "No worker has it and it is in back-off: its error repeats.",
      ],
    },
    {
      name: "KeelsonLeasesLost",
      expression:
        "sum(increase(backend_lease_losses_total[15m]) or increase(mimo_actuator_lease_losses_total[15m])) > 3",
      forMinutes: 0,
      severity: "warning",
      summary: "Workers lose their leases.",
      meaning:
        "A process was stopped or starved for `leaseMs`, or the database did not respond. Another worker resumes each operation.",
      actions: [
        "`KeelsonEventLoopStalled` and CPU of the machine: a starved process.",
        "A jump of the machine's clock does not end leases: they are measured by the database's and the monotonic clock.",
      ],
    },
    {
      name: "KeelsonEventLoopStalled",
      expression: "sum by (job, instance) (increase(process_event_loop_stalls_total[15m])) > 2",
      forMinutes: 0,
      severity: "warning",
      summary: "{{ $labels.instance }} was blocked for more than a second, repeatedly.",
      meaning:
        "One computation, the garbage collector or a starved machine blocks every request of the process.",
      actions: [
        "The log line `the event loop is blocked` has the stack of the code that ran.",
        "No stack of the service's code: memory near its limit (`nodejs_heap_size_used_bytes`), or CPU taken by other processes.",
      ],
    },
    {
      name: "KeelsonServiceCertificateExpiring",
      expression: "min by (certificate) (service_certificate_expiry_seconds) - time() < 14 * 86400",
      forMinutes: 60,
      severity: "warning",
      summary: "Certificate {{ $labels.certificate }} of the service expires in less than 14 days.",
      meaning: "It should have been renewed weeks ago.",
      actions: ["[Rotate secrets](rotation.md): replace the files. No restart is needed."],
    },
    {
      name: "KeelsonServiceCertificateExpired",
      expression: "min by (certificate) (service_certificate_expiry_seconds) - time() < 2 * 86400",
      forMinutes: 5,
      severity: "critical",
      summary: "Certificate {{ $labels.certificate }} of the service expires in less than two days.",
      meaning: "From then on Azure Resource Manager and people are refused by their own TLS.",
      actions: ["[Rotate secrets](rotation.md): replace the files now. No restart is needed."],
    },
    {
      name: "KeelsonGatewayStale",
      expression: "time() - min by (instance) (gateway_last_change_feed_seconds) > 120",
      forMinutes: 5,
      severity: "warning",
      summary: "Gateway {{ $labels.instance }} does not reach its database.",
      meaning: "It serves known clusters. New ones are refused, and deleted ones stay allowed.",
      actions: [
        "The log line `the database does not answer` has the reason. The gateway needs `select` on two tables.",
      ],
    },
    {
      name: "KeelsonTelemetryLost",
      expression: "sum by (sink) (increase(telemetry_samples_dropped_total[15m])) > 0",
      forMinutes: 0,
      severity: "warning",
      summary: "Metrics for {{ $labels.sink }} are lost.",
      meaning:
        "The statsd daemon or the OpenTelemetry collector is too slow or down. The service does not wait for it.",
      actions: ["Start the daemon, or give it more memory. Prometheus' own scrape is not affected."],
    },
  ],
};

export const ownAlertGroups: readonly OwnAlertGroup[] = [objectiveAlerts, database, work];
