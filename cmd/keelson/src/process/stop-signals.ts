import process from "node:process";
import type { StopReason } from "@keelson/base";

/**
 * Returns a signal that aborts with reason `draining` on the first SIGTERM or SIGINT. A second SIGTERM or SIGINT terminates the
 * process immediately. The immediate exit is safe, because the state on disk survives a crash.
 */
export function stopSignal(onDrain: () => void): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    onDrain();
    controller.abort("draining" satisfies StopReason);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  return controller.signal;
}
