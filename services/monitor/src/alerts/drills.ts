/** Fault to cause in a drill, with the expected alert and the expected output of `keelson doctor`. */
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
    doctor: "finding `database` (status failed), with the host, the port and the error",
    remedy: "start PostgreSQL or fail over; the processes reconnect automatically",
  },
  {
    fault: "Synchronous standby lost",
    cause: "stop the only standby of `synchronous_standby_names`",
    alert:
      '`KeelsonDatabaseWritesBlocked` with `cause="synchronous_replication"` at the next evaluation of the rules',
    doctor: "finding `database writes` (status failed), with the names of the missing standbys",
    remedy: "start a standby, or reset `synchronous_standby_names` and reload the server's configuration",
  },
  {
    fault: "Full disk of PostgreSQL",
    cause: "fill the disk of the data directory",
    alert:
      '`KeelsonDatabaseWritesBlocked` with `cause="refused"`, or `KeelsonDatabaseUnreachable` if the server stopped',
    doctor:
      "finding `disk of the database` (status failed): No space left on device. After the server has stopped, finding `database` (status failed)",
    remedy: "free disk space; restart PostgreSQL if it has stopped",
  },
  {
    fault: "Queue growing",
    cause: "set `workers: 1`, then create 20 clusters",
    alert: "`KeelsonQueueGrowing` after 15 minutes",
    doctor: "no finding",
    remedy: "start an additional `rp`",
  },
  {
    fault: "One process hung",
    cause: "send SIGSTOP to one `rp`",
    alert: "`KeelsonProcessDown` after 3 minutes; other processes resume its operations after `leaseMs`",
    doctor: "no finding, because `keelson doctor` checks only the database and the configuration",
    remedy:
      "kill the process with SIGKILL (a process stopped by SIGSTOP does not handle SIGABRT); systemd restarts it",
  },
  {
    fault: "Certificate expired",
    cause: "replace `tls` with a certificate that is valid for one day",
    alert: "`KeelsonServiceCertificateExpired` after 5 minutes",
    doctor: "finding `certificate tls` (status warning or failed)",
    remedy: "[rotate](rotation.md)",
  },
  {
    fault: "Cluster unreachable",
    cause: "delete the cluster's private endpoint",
    alert: "`KeelsonApiServerUnreachable` after 5 minutes",
    doctor: "no finding",
    remedy: "follow the steps of `KeelsonApiServerUnreachable`",
  },
  {
    fault: "Clock jump",
    cause: "stop the NTP client, then `date -s '+1 hour'`, on one machine",
    alert:
      "no alert of the service. Monitor `node_timex_offset_seconds` of node_exporter. Leases remain valid, but certificates and tokens may be rejected",
    doctor: "finding `clock against the database` (status failed), with the offset",
    remedy: "repair time synchronization",
  },
  {
    fault: "Drain of old machines",
    cause: "deploy a new version with `keelson deploy`",
    alert:
      "no alert: if one fires, the drill has failed. Open connections close within the sum of `serveOnMs` and `drainMs`",
    doctor: "no finding",
    remedy: "see [Deploy](deploy.md)",
  },
  {
    fault: "Session keys of the portal replaced without an overlap",
    cause: "replace all keys in `portal.signIn.sessionKeys` with one new key",
    alert: "no alert. All people must sign in again",
    doctor: "no finding",
    remedy: "keep the old key as the second key of the list for an hour",
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
      "**The secrets cannot be recovered.** Reads and lists still return the documents, but every request or operation that needs a secret of the cluster fails: updates, credentials, administrative updates. New secrets cannot be added to these documents. The clusters continue to run without management. Customers must create new clusters and move their workloads",
  },
  {
    lost: "Encryption key, copy in a vault or backup",
    recovery:
      "Add the key again with its ID ([Encryption keys](database.md#encryption-keys)). A restart is not necessary",
  },
  {
    lost: "Key vault of the service",
    recovery:
      "Recover the vault within its soft-delete period (`az keyvault recover`). If the vault was purged, the encryption keys are lost (first row). Issue all other secrets again ([Deploy](deploy.md))",
  },
  {
    lost: "Key vault with the certificates of clusters",
    recovery:
      "Recover the vault within its soft-delete period. Otherwise create it again with the same name, and register the certificate authority. An administrative update of each cluster then issues its certificates again. Until then, the clusters keep their certificates",
  },
  {
    lost: "Container registry",
    recovery:
      "Create the registry again with the same name. Push the image of the service, and run `keelson mirror`. An administrative update of each cluster creates its token again",
  },
  {
    lost: "Storage account of the OIDC issuers",
    recovery:
      "Restore the blobs from their soft delete or from a copy, in an account with the same website address. **The service writes them only when it creates a cluster.** Without them, clusters with managed identities cannot sign in to Azure. Customers must create new clusters",
  },
  {
    lost: "Database",
    recovery:
      "Restore the database to a point in time ([Database](database.md), Backup). Later writes are lost. Azure and the clusters are not rolled back. When an operation from the restored database resumes, its steps detect what already exists",
  },
  {
    lost: "DNS zone of the region",
    recovery:
      "Create the zone and delegate it (`keelson deploy` creates the zone of its region). An administrative update of each cluster writes its record `*.apps` again. It does not write `api`: create this record with the address `apiserverProfile.ip` of the cluster, and copy the metadata of the record `*.apps`",
  },
  {
    lost: "Region",
    recovery:
      "**The clusters cannot be recovered**, because their machines are lost. List them from a backup of the database ([Lost region](#lost-region)). Customers must create new clusters in a second region",
  },
  {
    lost: "Disk space of a service machine",
    recovery:
      "The service has no alert for it. Monitor `node_filesystem_avail_bytes` of node_exporter. The state of the service is in the database. The disk contains only logs, images, running installations (`installer.workingFolder`) and the certificates of the issuer kind `local`. Run `journalctl --vacuum-size=1G` and `podman image prune --all --force`. Do not delete directories of running installations. If the disk remains full, stop the process with SIGTERM and replace the machine. Other machines resume its operations",
  },
];

const lostRegion: readonly string[] = [
  "### Lost region\n",
  "Prepare: regularly copy a `pg_dump` of the database and all encryption keys to a place outside of the region. The PostgreSQL server of `keelson deploy` has no geo-redundant backup, and its database accepts connections only from the region's network. Without the keys, the list of clusters is readable, but not their secrets.\n",
  "After the loss:\n",
  "1. Restore the dump into a PostgreSQL server in a different region ([Operate PostgreSQL](howto/operate-postgresql.md)). For Cosmos DB, restore the backup of the account ([Database](database.md)). Do not start `keelson rp` or `keelson maintenance` with this database. Their workers would resume the operations of the dump and change resources in Azure.",
  "2. List the clusters. `RESTORED` is the URL of the restored database:\n",
  `       psql "$RESTORED" --command "select key, body->'openShiftCluster'->'properties'->>'provisioningState' as state from openshift_clusters order by key"\n`,
  "3. To read the document of one cluster, run `keelson db get RESOURCE_ID --config FILE` with a configuration for the restored database. Set `migrations` to `require` in it.",
  "4. Deploy the service in a second region with a new, empty database ([Deploy](deploy.md)). Customers create new clusters there. The service cannot move a cluster to a different region.",
  "",
];

/** Returns the runbook chapter about drills. */
export function drillsChapter(): string {
  return [
    "## Drills\n",
    "Rehearse these faults in a region without customers. The column `alert` has the maximum time from the fault to the alert, with a scrape interval of 15 s. `make drills` rehearses the drills on one machine.\n",
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
    ...lostRegion,
  ].join("\n");
}
