import { cutText } from "@keelson/base";
import type { ScaleSetDeps } from "./scale-sets.ts";

const limitMs = 120_000;
const mostLines = 10;
const longestLine = 400;
const script = "journalctl --unit 'keelson-*' --output cat --no-pager --lines 50";

/** Returns the last log lines of a machine's units. Empty if the machine does not respond. */
export async function lastLogLines(
  { azure, group, clock, signal }: ScaleSetDeps,
  set: string,
  instanceId: string,
): Promise<readonly string[]> {
  const [overdue, answered] = [new AbortController(), new AbortController()];
  void clock.sleep(limitMs, AbortSignal.any([signal, answered.signal])).then(
    () => overdue.abort(),
    () => undefined,
  );
  try {
    const call = azure.call(AbortSignal.any([signal, overdue.signal]));
    const command = { commandId: "RunShellScript", script: [script] };
    const { value = [] } = await azure.compute.virtualMachineScaleSetVMs
      .runCommand(group, set, instanceId, command, call)
      .pollUntilDone(call);
    const [, said = ""] = /\[stdout\]\n([\s\S]*?)\n?\[stderr\]/.exec(value[0]?.message ?? "") ?? [];
    const lines = said.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(-mostLines).map((line) => cutText(line, longestLine));
  } catch {
    // The machine itself may be the fault.
    signal.throwIfAborted();
    return [];
  } finally {
    answered.abort();
  }
}
