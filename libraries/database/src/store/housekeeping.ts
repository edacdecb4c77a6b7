import { type Logger, messageOf, poll, systemClock } from "@keelson/base";
import type { Table } from "../documents/table.ts";
import type { Connection } from "../drivers/driver.ts";
import { prepared } from "./statement-builder.ts";

const sweepIntervalMs = 60_000;
const sweepBatch = 1_000;
/** Number of sweeps after which the driver's maintenance runs once. */
const maintainEvery = 5;

/** Deletes expired documents and runs the driver's maintenance until the signal aborts. */
export async function runHousekeeping(
  connection: Connection,
  tables: readonly Table[],
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const onError = (error: unknown) =>
    logger.warn({ reason: messageOf(error) }, "housekeeping failed; it will be tried again");
  let round = 0;
  await poll({ everyMs: sweepIntervalMs, clock: systemClock, signal, onError }, async () => {
    round++;
    for (const table of tables) await sweep(connection, table, signal);
    if (round % maintainEvery === 0) {
      await connection.maintain(
        tables.map(({ name }) => name),
        signal,
      );
    }
  });
}

/** Deletes expired documents in small batches, which avoids long transactions. Returns the number of deleted documents. */
export async function sweep(connection: Connection, table: Table, signal: AbortSignal): Promise<number> {
  if (!table.expires) return 0;
  const text = `delete from ${table.name} t using (
  select partition_key, id from ${table.name} where expires_at <= now()
  order by expires_at limit ${sweepBatch} for update skip locked
) expired where t.partition_key = expired.partition_key and t.id = expired.id returning 1::text as deleted`;
  let deleted = 0;
  for (;;) {
    const rows = await connection.query(prepared(text), [], signal);
    deleted += rows.length;
    if (rows.length < sweepBatch) return deleted;
  }
}
