import { cutText } from "@keelson/base";
import type { ScaleSetDeps } from "./scale-sets.ts";

const limitMs = 120_000;
const mostLines = 10;
const longestLine = 400;
const script = "journalctl --unit 'keelson-*' --output cat --no-pager --lines 50";

/** The last lines that the units of a machine wrote; none where the machine does not say. */
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
    // The machine may be what does not work.
    signal.throwIfAborted();
    return [];
  } finally {
    answered.abort();
  }
}
