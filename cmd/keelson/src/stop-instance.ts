import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { cliErrors } from "./cli-errors.ts";
import type { Progress } from "./progress.ts";
import { stateHolder } from "./state/state-lock.ts";

const limitMs = 90_000;
const pollMs = 100;

/**
 * Asks the process that holds the state directory to drain, and waits until it has exited.
 * @throws StopTimedOut if it still runs after 90 s
 */
export async function stopInstance(directory: string, progress: Progress): Promise<void> {
  const pid = stateHolder(directory);
  if (pid === undefined) {
    progress.say(`nothing runs in ${directory}`);
    return;
  }
  process.kill(pid, "SIGTERM");
  progress.say(`stopping process ${pid}; steps in progress may finish first ...`);
  for (let waited = 0; waited < limitMs; waited += pollMs) {
    await delay(pollMs);
    if (stateHolder(directory) === undefined) {
      progress.say("stopped");
      return;
    }
  }
  throw cliErrors.StopTimedOut(
    `process ${pid} still runs after ${limitMs / 1000} s. Run "keelson down" again, or "kill -9 ${pid}" (acknowledged writes are safe)`,
  );
}
