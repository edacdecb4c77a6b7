import pg from "pg";

interface Counters {
  readonly bytes: number;
  readonly indexBytes: number;
  readonly walBytes: number;
  readonly transactions: number;
}

/** Measures the size and the writes of a PostgreSQL database. */
export class DatabaseSize implements AsyncDisposable {
  readonly #client: pg.Client;
  #empty: Counters | undefined;
  #start: Counters | undefined;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Connects to the database. The user in `url` needs the permission to read statistics. */
  static async open(url: string): Promise<DatabaseSize> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new DatabaseSize(client);
  }

  /** Starts a measurement of writes. The first call also measures the size of the database without clusters. */
  async start(): Promise<void> {
    this.#start = await this.#counters();
    this.#empty ??= this.#start;
  }

  /**
   * Returns four values for `count` clusters: KB of all tables and indexes per cluster, KB of indexes per cluster, KB of the
   * write-ahead log per operation, and transactions per operation. The last two count from `start`.
   */
  async perCluster(count: number): Promise<readonly number[]> {
    const now = await this.#counters();
    const since = (before: Counters | undefined, key: keyof Counters) =>
      (now[key] - (before?.[key] ?? 0)) / count;
    return [
      since(this.#empty, "bytes") / 1_000,
      since(this.#empty, "indexBytes") / 1_000,
      since(this.#start, "walBytes") / 1_000,
      since(this.#start, "transactions"),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  async #counters(): Promise<Counters> {
    const { rows } = await this.#client.query<Record<string, string>>(
      `select sum(pg_total_relation_size(relid)) as bytes, sum(pg_indexes_size(relid)) as "indexBytes",
         pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as "walBytes",
         (select xact_commit from pg_stat_database where datname = current_database()) as transactions
       from pg_stat_user_tables`,
    );
    const number = (key: keyof Counters) => Number(rows[0]?.[key]);
    return {
      bytes: number("bytes"),
      indexBytes: number("indexBytes"),
      walBytes: number("walBytes"),
      transactions: number("transactions"),
    };
  }
}
