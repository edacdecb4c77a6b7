import { type Logger, messageOf, systemClock } from "@keelson/base";
import type { Connection } from "../drivers/driver.ts";
import { prepared } from "./statement-builder.ts";

/** SQL expression that defers the notifications of a commit to an `Announcer`. */
export const announceLater = "set_config('keelson.notify', 'later', true)";

/** Default interval in ms at which changes of crashed writers are announced. */
const usualSweepMs = 5_000;
const batch = 1_000;
/** Pause between announcements in ms. On a busy server, each announcement contains many changes because of the pause. */
const pauseMs = 5;
/**
 * Number of recent positions in `pending_changes` that each announcement reads again, because commits do not become visible in
 * the order of their positions. The sweep announces older changes.
 */
const overlap = 10_000;

/**
 * SQL statement that notifies listeners of committed changes. It runs separately from the commits and does not wait for a disk
 * flush. A server crash can therefore undo the statement. The changes are then announced twice.
 */
const announce = `with taken as (
  delete from pending_changes where position in (
    select position from pending_changes where position > $1::bigint
    order by position limit ${batch} for update skip locked
  ) returning position, payload
), changed as (select payload, max(position) as position from taken group by payload)
select max(position)::text as position, count(pg_notify('keelson_documents', payload))::text as announced,
  set_config('synchronous_commit', 'off', true) as unflushed
from changed`;

/**
 * Announces the commits of this process in batches. Periodically also announces the changes that a crashed process left
 * unannounced.
 */
export class Announcer implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  #position = 0;
  #wanted = false;
  #running: Promise<void> | undefined;
  readonly #sweeping: Promise<void>;

  constructor(connection: Connection, logger: Logger, sweepMs = usualSweepMs) {
    this.#connection = connection;
    this.#logger = logger;
    this.#sweeping = this.#sweep(sweepMs);
  }

  /** Called after a commit. Schedules an announcement. */
  committed(): void {
    this.#wanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running;
    this.#stop.abort();
    await this.#sweeping;
  }

  async #run(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      await this.#announce(this.#position - overlap);
      await systemClock.sleep(pauseMs, this.#stop.signal);
    }
  }

  async #sweep(sweepMs: number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await systemClock.sleep(sweepMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.#announce(0);
    }
  }

  /** Announces pending changes. After a failure, the changes stay pending for the next call or a different process. */
  async #announce(after: number): Promise<void> {
    try {
      for (;;) {
        const [row] = await this.#connection.query(
          prepared(announce),
          [Math.max(0, after)],
          this.#stop.signal,
        );
        this.#position = Math.max(this.#position, Number(row?.position ?? 0));
        if (Number(row?.announced) < batch) return;
      }
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.#logger.warn({ reason: messageOf(error) }, "changes wait to be announced");
    }
  }
}
