import { messageOf, retry, timeLimit } from "@keelson/base";
import { type KubeClient, KubeError } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";

const timeLimitMs = 30_000;
const policy = { attempts: 3, firstMs: 2_000, factor: 2, maxMs: 10_000, jitter: 0.1 };

/**
 * Removes an action's leftovers from the cluster within 30 seconds, also after an abort. Returns false and logs an error after a
 * failure. An administrator must then clean up manually.
 */
export async function cleanUp(
  context: ActionContext,
  what: string,
  task: (kube: KubeClient, signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const { clock, logger } = context;
  // A new signal is used, because the action's signal may already have aborted.
  const signal = timeLimit(timeLimitMs);
  const decide = (error: unknown) => (isTransient(error) ? undefined : "stop");
  try {
    await retry(() => task(context.kube("cleanup"), signal), { policy, clock, signal, decide });
    return true;
  } catch (error) {
    logger.error({ what, reason: messageOf(error) }, "an administrator's action left something in a cluster");
    return false;
  }
}

/** True if a retry may succeed soon. */
export function isTransient(error: unknown): boolean {
  return error instanceof KubeError && error.retry === "backoff";
}
