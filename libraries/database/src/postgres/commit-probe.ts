import type pg from "pg";
import type { Row } from "../drivers/driver.ts";
import { type ServerAddress, translate } from "./unavailable.ts";
import type { WriteProbe } from "./write-gate.ts";

/**
 * Statement that commits one WAL record. It changes no table and requires no privilege. Its commit waits like any other commit.
 */
const commit = "select pg_logical_emit_message(true, 'keelson', '')::text";
/** Query for waiting sessions. PostgreSQL shows a role only the waits of its own sessions. */
const waiting =
  "select current_setting('synchronous_standby_names') as standbys from pg_stat_activity" +
  " where usename = current_user and datname = current_database() and wait_event = 'SyncRep' limit 1";

/** Probes writes with commits on a separate connection. */
export class CommitProbe implements WriteProbe {
  readonly #newClient: () => pg.Client;
  readonly #read: (text: string) => Promise<readonly Row[]>;
  readonly #address: ServerAddress;
  #client: pg.Client | undefined;

  constructor(
    newClient: () => pg.Client,
    read: (text: string) => Promise<readonly Row[]>,
    address: ServerAddress,
  ) {
    this.#newClient = newClient;
    this.#read = read;
    this.#address = address;
  }

  async commit(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect());
      await client.query(commit);
    } catch (error) {
      this.reset();
      throw translate(error, this.#address);
    }
  }

  async awaitedStandbys(): Promise<string | undefined> {
    const [row] = await this.#read(waiting);
    return row?.standbys ?? undefined;
  }

  reset(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.end().catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#newClient();
    client.on("error", () => undefined);
    this.#client = client;
    await client.connect();
    return client;
  }
}
