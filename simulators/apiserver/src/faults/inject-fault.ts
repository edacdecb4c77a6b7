import { StatusError } from "@keelson/apimachinery";
import type { Clock } from "@keelson/base";
import type { ApiRequest } from "../http/messages/request.ts";
import type { RequestFault } from "./api-faults.ts";

/**
 * Injects a fault into a request. Resolves when normal handling may continue.
 * @throws StatusError with the fault's error
 */
export async function injectFault(
  fault: RequestFault,
  { response }: ApiRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { delayMs = 0, error, cutAfterMs } = fault;
  if (delayMs > 0) await clock.sleep(delayMs, signal);
  if (error) {
    const { code, reason, message, retryAfterSeconds } = error;
    throw new StatusError(code, reason, message, { retryAfterSeconds });
  }
  if (cutAfterMs === undefined) return;
  const cut = setTimeout(() => response.destroy(), cutAfterMs);
  response.once("close", () => clearTimeout(cut));
}
