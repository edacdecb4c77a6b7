import { type AzureClients, unlessGone } from "@keelson/azure";
import { allSucceeded, type Clock, messageOf } from "@keelson/base";
import { target } from "../host/units.ts";
import { autoscaleSuffix, autoscaleType } from "../resources/autoscale.ts";
import { apiVersionOf } from "../template/template.ts";

export interface ScaleSetDeps {
  readonly azure: AzureClients;
  readonly group: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
}

export interface FoundScaleSet {
  readonly name: string;
  readonly provisioningState: string;
  readonly sshPublicKey?: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Lists all scale sets of a role in its group, with their versions. */
export async function listScaleSets(
  { azure, group, signal }: Pick<ScaleSetDeps, "azure" | "group" | "signal">,
  role: "rp" | "gateway",
): Promise<readonly FoundScaleSet[]> {
  const { virtualMachineScaleSets } = azure.compute;
  const sets = await Array.fromAsync(virtualMachineScaleSets.list(group, azure.call(signal)));
  return sets.flatMap(({ name = "", provisioningState = "", tags = {}, virtualMachineProfile }) => {
    if (!name.startsWith(`${role}-vmss-`)) return [];
    const [key] = virtualMachineProfile?.osProfile?.linuxConfiguration?.ssh?.publicKeys ?? [];
    return [{ name, provisioningState, tags, ...(key?.keyData ? { sshPublicKey: key.keyData } : {}) }];
  });
}

/** Deletes a scale set and waits for completion. Also waits if a different process deletes the set. */
export async function deleteScaleSet(deps: ScaleSetDeps, name: string): Promise<void> {
  const { azure, group, signal, report } = deps;
  report(`deleting ${name}`);
  await deleteAutoscale(deps, name);
  const call = azure.call(signal);
  await unlessGone(() => azure.compute.virtualMachineScaleSets.delete(group, name, call).pollUntilDone(call));
}

/**
 * Disables automatic repairs, drains all machines of a scale set, and deletes the set. During the drain, machines report that
 * they are not ready. They still serve requests until the load balancers send no more, and complete running steps. Draining takes
 * at most `limitMs` ms.
 */
export async function retireScaleSet(deps: ScaleSetDeps, set: FoundScaleSet, limitMs: number): Promise<void> {
  const { clock, signal, report } = deps;
  if (set.provisioningState !== "Deleting") {
    const overdue = new AbortController();
    const stop = AbortSignal.any([signal, overdue.signal]);
    const limit = new AbortController();
    const timer = clock.sleep(limitMs, AbortSignal.any([signal, limit.signal])).then(
      () => overdue.abort(),
      () => {},
    );
    try {
      await drain({ ...deps, signal: stop }, set.name);
    } catch (error) {
      signal.throwIfAborted();
      report(
        `${set.name} was not drained: ${overdue.signal.aborted ? "its time is over" : messageOf(error)}`,
      );
    } finally {
      limit.abort();
      await timer;
    }
  }
  await deleteScaleSet(deps, set.name);
}

async function drain(deps: ScaleSetDeps, name: string): Promise<void> {
  const { azure, group, signal, report } = deps;
  const { virtualMachineScaleSets, virtualMachineScaleSetVMs } = azure.compute;
  const call = azure.call(signal);
  report(`draining ${name}`);
  await deleteAutoscale(deps, name);
  await virtualMachineScaleSets
    .update(group, name, { automaticRepairsPolicy: { enabled: false } }, call)
    .pollUntilDone(call);
  const machines = await Array.fromAsync(virtualMachineScaleSetVMs.list(group, name, call));
  const script = [`systemctl stop ${target}`];
  const command = { commandId: "RunShellScript", script };
  await allSucceeded(
    machines.map(({ instanceId = "" }) =>
      virtualMachineScaleSetVMs.runCommand(group, name, instanceId, command, call).pollUntilDone(call),
    ),
  );
}

/** Deletes the autoscale settings of a scale set. Azure keeps these settings after the scale set is deleted. */
async function deleteAutoscale({ azure, group, signal }: ScaleSetDeps, name: string): Promise<void> {
  const { id } = await azure.resources.resourceGroups.get(group, azure.call(signal));
  const setting = `${id}/providers/${autoscaleType}/${name}${autoscaleSuffix}`;
  const call = azure.call(signal);
  await unlessGone(() =>
    azure.resources.resources.deleteById(setting, apiVersionOf(autoscaleType), call).pollUntilDone(call),
  );
}
