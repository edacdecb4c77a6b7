import type { ServiceAlertGroup } from "./burn-alerts.ts";
import { objectiveAlerts } from "./service-objectives.ts";

const database: ServiceAlertGroup = {
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
        "Reads succeed. PUT, PATCH, POST and DELETE return 503 with `Retry-After`, and operations of clusters wait. With the cause `synchronous_replication`, commits wait for a standby that does not confirm them. With `refused`, the server returns an error, for example because of a full disk. With `timeout`, commits do not finish for an unknown reason.",
      actions: [
        "Read the reason in the output of `keelson doctor` or in the log line `the database accepts no writes`.",
        "For `synchronous_replication`, start a standby. Alternatively, turn off synchronous replication with `psql \"$PRIMARY/postgres?$TLS\" --command \"alter system set synchronous_standby_names = ''\" --command 'select pg_reload_conf()'`. Acknowledged writes then exist on one server only. When a standby runs again, [restore `synchronous_standby_names`](howto/operate-postgresql.md#failover). The same page explains the shell variables `PRIMARY` and `TLS`. Each statement needs a separate `--command`, because `alter system` cannot run in a transaction.",
        "For `refused`, read the error in the reason and in the log of the PostgreSQL server. If the disk is full, enlarge it or free space. Never delete files in `pg_wal`, because the server then loses data and may not start again.",
        "If `pg_wal` fills the disk, run `psql \"$PRIMARY/postgres?$TLS\" --command 'select slot_name, active, restart_lsn from pg_replication_slots' --command 'select last_failed_wal, last_failed_time from pg_stat_archiver'`. Drop unused slots with `select pg_drop_replication_slot('NAME')`, or repair the archive command. The server then removes the files itself at the next `checkpoint`.",
        "For `refused` with an I/O error, [fail over](howto/operate-postgresql.md#failover). For Cosmos DB, check the account's write region, and the role of the service's application.",
        "For `timeout`, run `psql \"$PRIMARY/postgres?$TLS\" --command \"select pid, wait_event_type, wait_event, query from pg_stat_activity where datname = 'keelson' and state = 'active'\"`. `SyncRep` means a missing standby (step 2). `WALSync` and `WALWrite` mean that the disk of `pg_wal` is slow or does not respond. Repair the disk or fail over. If `psql` cannot connect, check the network and the server's log. For Cosmos DB, check the account's metrics and health.",
        "A restart of the service is not necessary. The service accepts writes again within 10 s after the repair.",
      ],
    },
    {
      name: "KeelsonDatabaseUnreachable",
      expression: "sum(increase(database_connection_errors_total[5m])) > 10",
      forMinutes: 1,
      severity: "critical",
      summary: "Connections to the database fail.",
      meaning:
        "The ARM API returns 503, and the processes report not ready. Workers resume their operations when the database responds again.",
      actions: [
        "Run `keelson doctor`. The finding `database` contains the connection error.",
        "If the error is `too many clients already` or `remaining connection slots are reserved`, [increase `max_connections`](database.md#operation) of the server. Until then, requests wait for open connections.",
        "After a failover, check that the database URL points to the new primary. If you changed the host in the URL, restart all processes. The service refuses a standby.",
      ],
    },
    {
      name: "KeelsonDatabasePoolExhausted",
      expression: "max(database_pool_waiting) > 0",
      forMinutes: 5,
      severity: "warning",
      summary: "Statements wait for a connection of the pool.",
      meaning:
        "All connections of a process have been busy for minutes. The database is slow, or `maxConnections` is too small.",
      actions: [
        "Check `database_statement_duration_seconds` by `statement`, to find out if one statement or all statements are slow.",
        "If the server can accept more connections, increase `database.maxConnections`.",
      ],
    },
    {
      name: "KeelsonDatabaseSlow",
      expression:
        "histogram_quantile(0.99, sum by (le, statement) (rate(database_statement_duration_seconds_bucket[10m]))) > 1",
      forMinutes: 10,
      severity: "warning",
      summary: "1 % of the executions of statement {{ $labels.statement }} take longer than a second.",
      meaning:
        "Requests and lease renewals become slow. If a renewal takes longer than `leaseMs`, the worker loses the lease.",
      actions: [
        "Check `wait_event` of the sessions of `keelson` in `pg_stat_activity` on the server.",
        "If a table has more dead than live rows (`pg_stat_user_tables`), run `vacuum (analyze)` on it.",
      ],
    },
    {
      name: "KeelsonEncryptionKeysUnread",
      expression: 'sum(increase(encryption_key_readings_total{outcome="failed"}[30m])) > 3',
      forMinutes: 0,
      severity: "warning",
      summary: "Running processes cannot re-read the encryption keys.",
      meaning:
        "Running processes continue with the known keys. New processes fail to start, and a key rotation does not take effect.",
      actions: [
        "Read the reason in the log line `encryption keys cannot be read`. The usual cause is an invalid key file, an unavailable key vault, or a rule of the vault's firewall.",
      ],
    },
  ],
};

const work: ServiceAlertGroup = {
  name: "keelson-work",
  title: "Work of the service",
  alerts: [
    {
      name: "KeelsonProcessDown",
      expression: 'up{job=~"keelson.*"} == 0',
      forMinutes: 3,
      severity: "critical",
      summary: "{{ $labels.job }} on {{ $labels.instance }} does not respond.",
      meaning:
        "The process has stopped or hangs, or the network between the process and Prometheus is interrupted.",
      actions: [
        "Run `systemctl status keelson-rp` and `journalctl -u keelson-rp` on the machine. For other processes, replace `rp` with their name.",
        "A process that hangs writes no log lines. Terminate it with SIGABRT and save the core dump. systemd restarts the process. If `KeelsonEventLoopStalled` fired before, the log contains the stack.",
      ],
    },
    {
      name: "KeelsonQueueGrowing",
      expression: "max(database_openshiftclusters_queue_length) > 10",
      forMinutes: 15,
      severity: "warning",
      summary: "{{ $value }} operations wait for a worker.",
      meaning:
        "The service has too few workers for the number of operations, or the workers do not acquire operations.",
      actions: [
        "If the sum of `backend_openshiftcluster_workers_count` has reached the limit (`workers` of all `rp` processes), start an additional `rp`.",
        "If the sum is far below the limit, check for `KeelsonDatabase...` alerts, or for a subscription that has reached its limit (`operationsPerSubscription`).",
      ],
    },
    {
      name: "KeelsonOperationStuck",
      expression: "max(backend_oldest_operation_seconds) > 14400",
      forMinutes: 5,
      severity: "warning",
      summary: "An operation has been unfinished for more than four hours.",
      meaning: "An installation takes about 45 minutes, and must end after at most three hours.",
      actions: [
        "Read the current step and its attempts on the cluster's page in the portal. Log lines with the operation's `operationId` contain the errors.",
        "If the operation is in back-off and no worker runs it, every attempt has failed with the same error. Fix the cause of this error.",
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
        "A process was suspended or had no CPU time for `leaseMs`, or the database did not respond. Other workers resume the operations.",
      actions: [
        "Check whether `KeelsonEventLoopStalled` fires, and whether the CPU usage of the machine is high. Both indicate a process without enough CPU time.",
        "Do not search for clock changes of the machine. Leases use the database clock and the monotonic clock, so these changes do not affect them.",
      ],
    },
    {
      name: "KeelsonEventLoopStalled",
      expression: "sum by (job, instance) (increase(process_event_loop_stalls_total[15m])) > 2",
      forMinutes: 0,
      severity: "warning",
      summary: "{{ $labels.instance }} was repeatedly blocked for more than a second.",
      meaning:
        "A long computation, the garbage collector or an overloaded machine blocks all requests of the process.",
      actions: [
        "Read the stack of the blocking code in the log line `the event loop is blocked`.",
        "If the stack contains no code of the service, the memory is near its limit (`nodejs_heap_size_used_bytes`), or other processes use the CPU.",
      ],
    },
    {
      name: "KeelsonServiceCertificateExpiring",
      expression: "min by (certificate) (service_certificate_expiry_seconds) - time() < 14 * 86400",
      forMinutes: 60,
      severity: "warning",
      summary: "Certificate {{ $labels.certificate }} of the service expires in less than 14 days.",
      meaning: "The certificate should have been renewed weeks ago.",
      actions: ["Replace the certificate files ([Rotate secrets](rotation.md)). A restart is not necessary."],
    },
    {
      name: "KeelsonServiceCertificateExpired",
      expression: "min by (certificate) (service_certificate_expiry_seconds) - time() < 2 * 86400",
      forMinutes: 5,
      severity: "critical",
      summary:
        "Certificate {{ $labels.certificate }} of the service has expired or expires in less than two days.",
      meaning:
        "When the certificate has expired, Azure Resource Manager and browsers reject TLS connections to the service.",
      actions: [
        "Replace the certificate files immediately ([Rotate secrets](rotation.md)). A restart is not necessary.",
      ],
    },
    {
      name: "KeelsonGatewayStale",
      expression: "time() - min by (instance) (gateway_last_change_feed_seconds) > 120",
      forMinutes: 5,
      severity: "warning",
      summary: "Gateway {{ $labels.instance }} does not reach its database.",
      meaning:
        "The gateway cannot read changes from the database. It serves the clusters that it already knows, including deleted clusters, and refuses new clusters.",
      actions: [
        "Read the reason in the log line `the database does not answer`. Check that the gateway's database role has `select` on two tables ([Gateway](gateway.md)).",
      ],
    },
    {
      name: "KeelsonMirrorStale",
      expression: "time() - max by (instance) (mirror_last_success_seconds) > 172800",
      forMinutes: 60,
      severity: "warning",
      summary: "The mirror on {{ $labels.instance }} has not completed a run for two days.",
      meaning:
        "New releases and images are missing in the service's registry. Existing clusters are not affected. New clusters cannot use the missing releases.",
      actions: [
        "Read the failures of the last `keelson mirror` run. [Mirror](mirror.md) explains their codes.",
        "If the job did not run, check its timer. Run the same command again: it skips existing images.",
      ],
    },
    {
      name: "KeelsonTelemetryLost",
      expression: "sum by (sink) (increase(telemetry_samples_dropped_total[15m])) > 0",
      forMinutes: 0,
      severity: "warning",
      summary: "Metrics for {{ $labels.sink }} are lost.",
      meaning:
        "The statsd daemon or the OpenTelemetry collector is too slow or down. The service does not wait for the receiver, but drops metrics.",
      actions: [
        "Start the statsd daemon or the collector, or increase its memory. Scrapes by Prometheus are not affected.",
      ],
    },
  ],
};

export const serviceAlertGroups: readonly ServiceAlertGroup[] = [objectiveAlerts, database, work];
