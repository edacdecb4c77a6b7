import { messageOf } from "@keelson/base";
import type pg from "pg";
import { type Row, sqlFailure } from "../drivers/driver.ts";
import type { WriteBlock, WriteProbe } from "../drivers/write-gate.ts";
import { type ServerAddress, translate } from "./unavailable.ts";

/**
 * Statement that commits one WAL record. The statement changes no table and requires no privilege. Like any other
 * commit, its commit waits for the synchronous standbys.
 */
const commit = "select pg_logical_emit_message(true, 'keelson', '')::text";
/**
 * Query that finds a session that waits for the synchronous standby. PostgreSQL shows a role only the waits of
 * sessions of this role.
 */
const waiting =
  "select current_setting('synchronous_standby_names') as standbys from pg_stat_activity" +
  " where usename = current_user and datname = current_database() and wait_event = 'SyncRep' limit 1";

/** SQLSTATEs of a server that cannot write: missing resources (except connections), file errors, internal errors. */
const refusedStates = /^(53(?!3)...|58...|XX...)$/;

/** SQLSTATEs of writes that a full or defective disk refuses. The probe writes only WAL, which may still have space. */
const diskStates = /^(53100|58030)$/;

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

  /** @throws StoreUnavailable, errors with SQLSTATE */
  async commit(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect());
      await client.query(commit);
    } catch (error) {
      this.reset();
      throw translate(error, this.#address);
    }
  }

  refusal(error: unknown): string | undefined {
    return refusalIn(error, refusedStates);
  }

  writeRefusal(error: unknown): string | undefined {
    return refusalIn(error, diskStates);
  }

  async stalled(limitMs: number): Promise<WriteBlock> {
    const [row] = await this.#read(waiting).catch(() => []);
    const standbys = row?.standbys ?? undefined;
    return standbys === undefined
      ? {
          cause: "timeout",
          reason: `Commits do not end within ${limitMs / 1_000} s. See the log of the PostgreSQL server.`,
        }
      : {
          cause: "synchronous_replication",
          reason: `Commits wait for a synchronous standby, and none of ${JSON.stringify(standbys)} confirms. Start a standby, or change synchronous_standby_names.`,
        };
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

function refusalIn(error: unknown, states: RegExp): string | undefined {
  const { state = "" } = sqlFailure(causeOf(error)) ?? {};
  return states.test(state) ? `PostgreSQL refuses writes: ${messageOf(error)}` : undefined;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
