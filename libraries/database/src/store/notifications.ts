import type { ChangeListener } from "../change-feed/change-feed.ts";
import type { Change } from "../documents/database.ts";
import type { Connection } from "../drivers/driver.ts";

const channel = "keelson_documents";

/** Listens to the changes that PostgreSQL triggers report by notifications. */
export function listenToNotifications(
  connection: Connection,
  { listening, changed }: ChangeListener,
  signal: AbortSignal,
): Promise<void> {
  const notified = (payload: string) => changed(parse(payload));
  return connection.listen(channel, { listening, notified }, signal);
}

/** Parses a payload of `notify_change`. Every other payload results in a `resync`. */
function parse(payload: string): Change {
  const fields: unknown = payload === "" ? undefined : JSON.parse(payload);
  if (!Array.isArray(fields)) return { kind: "resync" };
  const [collection, partitionKey, id]: unknown[] = fields;
  if (typeof collection !== "string" || typeof partitionKey !== "string" || typeof id !== "string") {
    return { kind: "resync" };
  }
  return { kind: "changed", collection, partitionKey, id };
}
