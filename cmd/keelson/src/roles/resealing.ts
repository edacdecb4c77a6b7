import { randomUUID } from "node:crypto";
import type { Clock, Logger, Metrics } from "@keelson/base";
import { Resealer } from "@keelson/database";
import type { ServiceEnvironment } from "@keelson/env";

const everyMs = 60_000;

export interface ResealingDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Starts a background task that finds documents encrypted with an older key and re-encrypts them with the current key. Of several
 * processes, only the owner of a lease runs the task.
 */
export function startResealing(
  { database, keyring }: Pick<ServiceEnvironment, "database" | "keyring">,
  { clock, logger, metrics }: ResealingDeps,
): AsyncDisposable {
  const documents = metrics.gauge<"collection">({
    name: "database_documents_under_old_keys",
    help: "Documents whose secrets are sealed under another than the current key, when last counted",
    labels: ["collection"],
  });
  return new Resealer({
    database,
    jobs: database.collections.jobs,
    keyring,
    owner: `resealer-${randomUUID()}`,
    everyMs,
    outdated: (collection, count) => documents.set(count, { collection }),
    clock,
    logger: logger.child({ component: "resealing" }),
  }).start();
}
