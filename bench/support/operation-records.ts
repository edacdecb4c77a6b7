import { resourceKey } from "@keelson/arm";
import { newOperation } from "@keelson/model";
import pg from "pg";
import { exampleRequest, variablesFor } from "../../tests/e2e/support/cluster-request.ts";

export const clustersPerSubscription = 1_000;
/** Number of consecutive records that belong to one cluster. */
export const recordsPerCluster = 10;

const subscriptionPrefix = "00000000-0000-4000-8000-";
const location = "eastus";

export function subscriptionOf(cluster: number): string {
  return subscriptionPrefix + `${Math.floor(cluster / clustersPerSubscription)}`.padStart(12, "0");
}

export function clusterKeyOf(cluster: number): string {
  return clusterIdOf(subscriptionOf(cluster), `c${cluster}`);
}

function clusterIdOf(subscription: string, name: string): string {
  return `/subscriptions/${subscription}/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/${name}`;
}

/** Sizes and row counts of the table `async_operations`. */
export interface TableState {
  readonly live: number;
  /** Number of deleted rows that no vacuum has removed yet, as counted by PostgreSQL's statistics. */
  readonly dead: number;
  readonly tableMib: number;
  readonly indexMib: number;
}

/** Finished operations in the table `async_operations`, written and measured with SQL. */
export class OperationRecords implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #body: string;

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#body = JSON.stringify(finishedOperation());
  }

  static async open(url: string): Promise<OperationRecords> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new OperationRecords(client);
  }

  /**
   * Inserts records with a single statement and without triggers. The first `expired` records have expired. The other records
   * expire one after another, but not before one day has passed.
   */
  async insert(range: {
    readonly from: number;
    readonly to: number;
    readonly expired: number;
  }): Promise<void> {
    await this.#client.query("alter table async_operations disable trigger user");
    await this.#client.query(
      `insert into async_operations (partition_key, id, etag, body, updated_at, expires_at, open_shift_cluster_key,
         newest_first, sealed_key_id)
       select subscription, id, nextval('document_etag'),
         replace(replace(replace($1, '${placeholders.id}', id), '${placeholders.subscriptionId}', subscription),
           '${placeholders.cluster}', 'c' || cluster)::json,
         now(),
         case when n < $5 then now() else now() + interval '1 day' + n * interval '0.5 s' end,
         '/subscriptions/' || subscription || '/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/c' || cluster,
         -n, 'bench'
       from (
         select n, gen_random_uuid()::text as id, n / ${recordsPerCluster} as cluster,
           $2 || lpad((n / ${recordsPerCluster * clustersPerSubscription})::text, 12, '0') as subscription
         from generate_series($3::bigint, $4::bigint - 1) n
       ) made`,
      [this.#body, subscriptionPrefix, range.from, range.to, range.from + range.expired],
    );
    await this.#client.query("alter table async_operations enable trigger user");
  }

  async vacuum(): Promise<void> {
    await this.#client.query("vacuum (analyze) async_operations");
  }

  /** Returns the number of expired records that have not been deleted yet. */
  async expired(): Promise<number> {
    const { rows } = await this.#client.query<Record<string, string>>(
      "select count(*) as expired from async_operations where expires_at <= now()",
    );
    return Number(rows[0]?.expired);
  }

  /** Returns the number of runs of autovacuum on the table, and their total duration (PostgreSQL 18). */
  async autovacuums(): Promise<{ readonly count: number; readonly ms: number }> {
    const { rows } = await this.#client.query<Record<string, string>>(
      "select autovacuum_count, total_autovacuum_time from pg_stat_user_tables where relname = 'async_operations'",
    );
    return { count: Number(rows[0]?.autovacuum_count), ms: Number(rows[0]?.total_autovacuum_time) };
  }

  async state(): Promise<TableState> {
    const { rows } = await this.#client.query<Record<string, string>>(
      `select (select count(*) from async_operations) as live, n_dead_tup as dead, pg_table_size(relid) as bytes,
         pg_indexes_size(relid) as "indexBytes" from pg_stat_user_tables where relname = 'async_operations'`,
    );
    const number = (key: string) => Number(rows[0]?.[key]);
    const mib = (key: string) => number(key) / 2 ** 20;
    return {
      live: number("live"),
      dead: number("dead"),
      tableMib: mib("bytes"),
      indexMib: mib("indexBytes"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

/** Names in the body that the SQL statement replaces. */
const placeholders = { id: "operation-id", subscriptionId: "subscription-id", cluster: "cluster-name" };

/** Returns a successful update with the cluster at its end, and with placeholders for the identifiers. */
function finishedOperation(): object {
  const { id, subscriptionId, cluster } = placeholders;
  const requested: { properties?: object } = exampleRequest(
    "20250725",
    variablesFor(cluster, subscriptionId),
  );
  // Removes secrets, because a stored document contains only encrypted secrets.
  const withoutSecrets = { servicePrincipalProfile: undefined, clusterProfile: { version: "4.19.24" } };
  const properties = { ...requested.properties, ...withoutSecrets, provisioningState: "Succeeded" };
  const startTime = new Date("2026-11-30T10:00:00.000Z");
  const key = resourceKey(clusterIdOf(subscriptionId, cluster));
  const operation = newOperation({ id, subscriptionId, location, key, state: "Updating", startTime });
  const result = { status: "Succeeded", endTime: "2026-11-30T10:05:00.000Z", percentComplete: 100 };
  return {
    ...operation,
    asyncOperation: { ...operation.asyncOperation, ...result },
    openShiftCluster: { ...requested, properties },
  };
}
