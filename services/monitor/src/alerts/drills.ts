/** Fault for a rehearsal, with the expected alert and the expected report of `keelson doctor`. */
interface Drill {
  readonly fault: string;
  /** Commands or steps that cause the fault. */
  readonly cause: string;
  readonly alert: string;
  readonly doctor: string;
  readonly remedy: string;
}

const drills: readonly Drill[] = [
  {
    fault: "Database down",
    cause: "stop PostgreSQL",
    alert: "`KeelsonDatabaseUnreachable` within 3 minutes, then `KeelsonApiErrorsBurnFast`",
    doctor: "failed `database`: host, port and error",
    remedy: "start it or fail over; processes reconnect",
  },
  {
    fault: "Synchronous standby lost",
    cause: "stop the only standby of `synchronous_standby_names`",
    alert: '`KeelsonDatabaseWritesBlocked` with `cause="synchronous_replication"` at the next evaluation',
    doctor: "failed `database writes`: the names that do not confirm",
    remedy: "start a standby, or empty the setting",
  },
  {
    fault: "Full disk of PostgreSQL",
    cause: "fill the disk of the data directory",
    alert:
      '`KeelsonDatabaseWritesBlocked` with `cause="refused"`, or `KeelsonDatabaseUnreachable` if the server stopped',
    doctor: "failed `database writes`: `No space left on device`",
    remedy: "free space; restart PostgreSQL if it stopped",
  },
  {
    fault: "Queue growing",
    cause: "`workers: 1` and 20 clusters",
    alert: "`KeelsonQueueGrowing` after 15 minutes",
    doctor: "nothing",
    remedy: "start a further `rp`",
  },
  {
    fault: "One process hung",
    cause: "`kill -STOP` of one `rp`",
    alert: "`KeelsonProcessDown` after 3 minutes; its operations continue elsewhere after `leaseMs`",
    doctor: "nothing: it reads database and configuration only",
    remedy: "SIGKILL; systemd starts it again",
  },
  {
    fault: "Certificate expired",
    cause: "replace `tls` by a certificate of one day",
    alert: "`KeelsonServiceCertificateExpired` after 5 minutes",
    doctor: "warning or failed `certificate tls`",
    remedy: "[rotate](rotation.md)",
  },
  {
    fault: "Cluster unreachable",
    cause: "drop its private endpoint",
    alert: "`KeelsonApiServerUnreachable` after 5 minutes",
    doctor: "nothing",
    remedy: "see the alert",
  },
  {
    fault: "Clock jump",
    cause: "`date -s '+1 hour'` on one machine",
    alert:
      "no alert of the service: use `node_timex_offset_seconds` of node_exporter. Leases survive; certificates and tokens may be refused",
    doctor: "failed `clock against the database`: the offset",
    remedy: "repair time synchronization",
  },
  {
    fault: "Drain of old machines",
    cause: "`keelson deploy` of a version",
    alert: "no alert may fire; open connections end within `serveOnMs` and `drainMs`",
    doctor: "nothing",
    remedy: "see [Deploy](deploy.md)",
  },
  {
    fault: "Session keys of the portal replaced without an overlap",
    cause: "write one new key into `portal.signIn.sessionKeys`",
    alert: "no alert; everyone signs in again",
    doctor: "nothing",
    remedy: "keep the old key as the second one for an hour",
  },
];

interface Loss {
  readonly lost: string;
  readonly recovery: string;
}

const losses: readonly Loss[] = [
  {
    lost: "Encryption key, no copy",
    recovery:
      "**Cannot be recovered.** Documents stay readable without their secrets. Issue kubeconfigs again by an administrative update; customers renew client secrets and pull secrets",
  },
  {
    lost: "Encryption key, copy in a vault or backup",
    recovery: "Put the key back under its ID ([Encryption keys](database.md#encryption-keys)). No restart",
  },
  {
    lost: "Key vault of the service",
    recovery:
      "Recover it within its soft-delete period (`az keyvault recover`). After a purge: the keys are lost as above, all other secrets are issued again ([Deploy](deploy.md))",
  },
  {
    lost: "Database",
    recovery:
      "Restore to a point in time ([Database](database.md), Backup). Writes after it are lost; Azure and clusters keep their state, and steps find it",
  },
  {
    lost: "DNS zone of the region",
    recovery:
      "Create the zone, delegate it, run `keelson deploy`; an administrative update of each cluster writes its records again",
  },
  {
    lost: "Region",
    recovery:
      "**Clusters cannot be recovered**: their machines are gone. Restore the database in a second region to list them; customers create new clusters there",
  },
];

/** Returns the runbook chapter about rehearsals. */
export function drillsChapter(): string {
  return [
    "## Drills\n",
    "Rehearse these faults on a region without customers. Times are upper limits from the fault to the alert, with a scrape interval of 15 s.\n",
    "| fault | cause it | alert | `keelson doctor` | remedy |",
    "|---|---|---|---|---|",
    ...drills.map(
      (each) => `| ${[each.fault, each.cause, each.alert, each.doctor, each.remedy].join(" | ")} |`,
    ),
    "",
    "## Losses\n",
    "| lost | recovery |",
    "|---|---|",
    ...losses.map(({ lost, recovery }) => `| ${lost} | ${recovery} |`),
    "",
  ].join("\n");
}
