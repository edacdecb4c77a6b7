import { type Clock, onTimeDeadline, systemClock } from "@keelson/base";

export interface ReconnectOptions {
  /** Total time in ms during which the action is retried. */
  readonly reconnectMs: number;
  /**
   * True if the action is retried after this error. Default: true for refused connections, because the service has not received
   * the request.
   */
  readonly isRepeated?: (error: unknown) => boolean;
  /** Time in ms between an error and the next attempt. Default: 200. */
  readonly pauseMs?: (error: unknown) => number;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Retries an action while the service does not listen, for example during a restart. @throws the action's last error */
export async function untilConnected<T>(action: () => Promise<T>, options: ReconnectOptions): Promise<T> {
  const { reconnectMs, isRepeated = isRefused, pauseMs = () => 200, signal, clock = systemClock } = options;
  const isOver = onTimeDeadline(clock, reconnectMs);
  for (;;) {
    try {
      return await action();
    } catch (error) {
      signal.throwIfAborted();
      if (!isRepeated(error) || isOver()) throw error;
      await clock.sleep(pauseMs(error), signal);
    }
  }
}

/** True if a connection was refused. Checks the error of Node.js or the Azure SDK, and its cause. */
export function isRefused(error: unknown): boolean {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  return causes.some((each) => each instanceof Error && "code" in each && each.code === "ECONNREFUSED");
}
