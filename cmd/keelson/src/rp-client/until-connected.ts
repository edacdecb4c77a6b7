import { type Clock, systemClock } from "@keelson/base";

export interface ReconnectOptions {
  /** Time in ms for which the action is repeated. */
  readonly reconnectMs: number;
  /** Default: refused connections, with which no service received a request. */
  readonly isRepeated?: (error: unknown) => boolean;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

const pauseMs = 200;

/** Repeats an action while a service does not listen, as in a restart. @throws the action's last error */
export async function untilConnected<T>(action: () => Promise<T>, options: ReconnectOptions): Promise<T> {
  const { reconnectMs, isRepeated = isRefused, signal, clock = systemClock } = options;
  const beganMs = clock.monotonicMs();
  for (;;) {
    try {
      return await action();
    } catch (error) {
      signal.throwIfAborted();
      if (!isRepeated(error) || clock.monotonicMs() - beganMs >= reconnectMs) throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** True for a refused connection: an error of Node or of the Azure SDKs, or its cause. */
export function isRefused(error: unknown): boolean {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  return causes.some((each) => each instanceof Error && "code" in each && each.code === "ECONNREFUSED");
}
