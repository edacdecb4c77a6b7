import { cutText } from "@keelson/base";
import { runOnMachine } from "./run-on-machine.ts";
import type { ScaleSetDeps } from "./scale-sets.ts";

const mostLines = 10;
const longestLine = 400;
const script = "journalctl --unit 'keelson-*' --output cat --no-pager --lines 50";

/** Returns the last log lines of a machine's systemd units. Returns an empty list if the machine does not respond. */
export async function lastLogLines(
  deps: ScaleSetDeps,
  set: string,
  instanceId: string,
): Promise<readonly string[]> {
  try {
    const output = await runOnMachine(deps, { set, instanceId, script });
    const lines = output.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(-mostLines).map((line) => cutText(line, longestLine));
  } catch {
    // A faulty machine may be unable to run the script, so errors of the script are ignored. Only an abort is thrown.
    deps.signal.throwIfAborted();
    return [];
  }
}
