import { sleepOnTime } from "@keelson/base";
import type { ScaleSetDeps } from "./scale-sets.ts";

const limitMs = 120_000;

/**
 * Runs a shell script on a machine and returns its standard output.
 * @throws the error of Azure; AbortError if the script runs longer than two minutes
 */
export async function runOnMachine(
  { azure, group, clock, signal }: ScaleSetDeps,
  { set, instanceId, script }: { readonly set: string; readonly instanceId: string; readonly script: string },
): Promise<string> {
  const [overdue, answered] = [new AbortController(), new AbortController()];
  void sleepOnTime(clock, limitMs, AbortSignal.any([signal, answered.signal])).then(
    () => overdue.abort(),
    () => undefined,
  );
  try {
    const call = azure.call(AbortSignal.any([signal, overdue.signal]));
    const command = { commandId: "RunShellScript", script: [script] };
    const { value = [] } = await azure.compute.virtualMachineScaleSetVMs
      .runCommand(group, set, instanceId, command, call)
      .pollUntilDone(call);
    return /\[stdout\]\n([\s\S]*?)\n?\[stderr\]/.exec(value[0]?.message ?? "")?.[1] ?? "";
  } finally {
    answered.abort();
  }
}
