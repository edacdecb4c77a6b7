import { messageOf, retry, timeLimit } from "@keelson/base";
import { type KubeClient, KubeError } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";

const timeLimitMs = 30_000;
const policy = { attempts: 3, firstMs: 2_000, factor: 2, maxMs: 10_000, jitter: 0.1 };

/**
 * Takes away what an action left in the cluster, also after the action was aborted, for 30 seconds at most. False, and
 * a line in the log, when it could not: then a person has to.
 */
export async function cleanUp(
  context: ActionContext,
  what: string,
  task: (kube: KubeClient, signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const { clock, logger } = context;
  // Not the action's signal: that may be what ended the action.
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

/** Worth another try soon. */
export function isTransient(error: unknown): boolean {
  return error instanceof KubeError && error.retry === "backoff";
}
