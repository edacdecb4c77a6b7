import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { cliErrors } from "../cli-errors.ts";
import { Progress } from "../progress.ts";
import { stateHolder } from "../state/state-lock.ts";
import { stateOption } from "./options.ts";

const limitMs = 90_000;
const pollMs = 100;

export function addDown(root: Command): Command {
  return root
    .command("down")
    .description('stop what "up" started; clusters and their state stay on disk')
    .addOption(stateOption())
    .action(({ state }: { state: string }) => stop(state));
}

/** Asks the holder of the state directory to drain, and waits until it is gone. */
async function stop(directory: string): Promise<void> {
  const progress = new Progress();
  const pid = stateHolder(directory);
  if (pid === undefined) {
    progress.say(`nothing runs in ${directory}`);
    return;
  }
  process.kill(pid, "SIGTERM");
  progress.say(`stopping process ${pid}: steps under way may end first ...`);
  for (let waited = 0; waited < limitMs; waited += pollMs) {
    await delay(pollMs);
    if (stateHolder(directory) === undefined) {
      progress.say("stopped");
      return;
    }
  }
  throw cliErrors.StopTimedOut(
    `process ${pid} still runs after ${limitMs / 1000} s: run "keelson down" again, or "kill -9 ${pid}" (nothing acknowledged is lost)`,
  );
}
