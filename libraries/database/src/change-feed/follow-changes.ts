import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { Change } from "../documents/database.ts";

const backoffAfterTroubleMs = 5_000;

export interface FollowOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Passes changes to `apply` one at a time until the signal aborts. Retries a failed change until it succeeds. A change contains
 * no document, so `apply` reads the document, and a failed read must not lose the change.
 */
export async function followChanges(
  changes: AsyncIterable<Change>,
  apply: (change: Change) => Promise<void>,
  { clock, logger, signal }: FollowOptions,
): Promise<void> {
  for await (const change of changes) {
    for (;;) {
      try {
        await apply(change);
        break;
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ error: messageOf(error) }, "a change could not be read; it will be tried again");
        await clock.sleep(backoffAfterTroubleMs, signal).catch(() => undefined);
        if (signal.aborted) return;
      }
    }
  }
}
