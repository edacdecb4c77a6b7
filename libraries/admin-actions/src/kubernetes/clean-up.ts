import { messageOf, retry, timeLimit } from "@keelson/base";
import { type KubeClient, KubeError } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";

const timeLimitMs = 30_000;
const policy = { attempts: 3, firstMs: 2_000, factor: 2, maxMs: 10_000, jitter: 0.1 };

/**
 * Runs `task` for at most 30 seconds, even if the action was aborted. `task` reverts the action's temporary changes to the
 * cluster. If `task` fails, logs an error and returns false. In this case, an administrator must revert the changes.
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

/** True if the error is temporary, so that a retry may soon succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof KubeError && error.retry === "backoff";
}
