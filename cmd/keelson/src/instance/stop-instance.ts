import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "../output/progress.ts";
import { readRunStatus } from "../state/component-status.ts";
import { stateHolder } from "../state/state-lock.ts";

const pollMs = 100;
const reportMs = 5_000;

/**
 * Stops the process that uses the state directory. Waits without a time limit until the active steps are complete and the process
 * has exited.
 */
export async function stopInstance(directory: string, progress: Progress): Promise<void> {
  const pid = stateHolder(directory);
  if (pid === undefined) {
    progress.say(`nothing runs in ${directory}`);
    return;
  }
  process.kill(pid, "SIGTERM");
  progress.say(`stopping process ${pid}; steps in progress may finish first ...`);
  for (let waitedMs = pollMs; ; waitedMs += pollMs) {
    await delay(pollMs);
    if (stateHolder(directory) === undefined) {
      progress.say("stopped");
      return;
    }
    if (waitedMs % reportMs === 0)
      progress.say(
        `waiting for ${runningComponents(directory)} to stop. "kill -9 ${pid}" stops them immediately; acknowledged writes are safe`,
      );
  }
}

function runningComponents(directory: string): string {
  const running = readRunStatus(directory)?.components.filter(({ process: pid }) => pid !== undefined) ?? [];
  return running.map(({ component }) => component).join(", ") || "the process";
}
