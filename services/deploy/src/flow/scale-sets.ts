import { type AzureClients, isNotFound, retryAdvice, statusOf } from "@keelson/azure";
import { type Clock, messageOf } from "@keelson/base";
import { errors } from "../errors.ts";
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
}

const pollMs = 10_000;

/** The sets of a role in its group, of all versions. */
export async function listScaleSets(
  { azure, group, signal }: Pick<ScaleSetDeps, "azure" | "group" | "signal">,
  role: "rp" | "gateway",
): Promise<readonly FoundScaleSet[]> {
  const { virtualMachineScaleSets } = azure.compute;
  const sets = await Array.fromAsync(virtualMachineScaleSets.list(group, azure.call(signal)));
  return sets.flatMap(({ name = "", provisioningState = "", virtualMachineProfile }) => {
    if (!name.startsWith(`${role}-vmss-`)) return [];
    const [key] = virtualMachineProfile?.osProfile?.linuxConfiguration?.ssh?.publicKeys ?? [];
    return [{ name, provisioningState, ...(key?.keyData ? { sshPublicKey: key.keyData } : {}) }];
  });
}

/** A rule of a load balancer that leads to a part of what machines run. */
export interface WatchedRule {
  readonly loadBalancer: string;
  readonly rule: string;
  /** `portal` */
  readonly part: string;
}

/**
 * Returns once every machine of a set is healthy, and ready behind each of the rules; polls every ten seconds.
 * @throws UnhealthyScaleSet after `limitMs`, with the machines that are not
 */
export async function awaitHealthy(
  deps: ScaleSetDeps,
  name: string,
  limitMs: number,
  rules: readonly WatchedRule[] = [],
): Promise<void> {
  const { clock, signal, report } = deps;
  const until = clock.monotonicMs() + limitMs;
  for (;;) {
    const health = await readHealth(deps, name, rules);
    if (health.unhealthy.length === 0 && health.count >= health.wanted && health.wanted > 0) return;
    const state = `${health.count - health.unhealthy.length} of ${health.wanted} machines of ${name} are healthy`;
    if (clock.monotonicMs() >= until) {
      throw errors.UnhealthyScaleSet(
        `After ${inWords(limitMs)} only ${state}${health.unhealthy.length > 0 ? `; not so ${health.unhealthy.join(", ")}` : ""}.`,
      );
    }
    report(state);
    await clock.sleep(pollMs, signal);
  }
}

function inWords(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`;
}

interface Health {
  readonly wanted: number;
  readonly count: number;
  /** Machines with their state. */
  readonly unhealthy: readonly string[];
}

/** A read that fails temporarily counts as machines that are not healthy yet. */
async function readHealth(deps: ScaleSetDeps, name: string, rules: readonly WatchedRule[]): Promise<Health> {
  const { azure, group, signal } = deps;
  const { virtualMachineScaleSets, virtualMachineScaleSetVMs } = azure.compute;
  try {
    const { sku } = await virtualMachineScaleSets.get(group, name, azure.call(signal));
    const machines = await Array.fromAsync(virtualMachineScaleSetVMs.list(group, name, azure.call(signal)));
    const states = await Promise.all(
      machines.map(async ({ instanceId = "" }) => {
        const view = await virtualMachineScaleSetVMs.getInstanceView(
          group,
          name,
          instanceId,
          azure.call(signal),
        );
        const code = view.vmHealth?.status?.code ?? "HealthState/unknown";
        return { instanceId, state: code.replace("HealthState/", "") };
      }),
    );
    const ill = states.filter(({ state }) => state !== "healthy");
    // What says that it is unhealthy as a whole is not asked for its parts.
    const lacking = ill.length > 0 ? [] : await readLacking(deps, name, states, rules);
    return {
      wanted: sku?.capacity ?? 0,
      count: machines.length,
      unhealthy: [...ill, ...lacking].map(({ instanceId, state }) => `${name}/${instanceId} (${state})`),
    };
  } catch (error) {
    signal.throwIfAborted();
    // A machine may be replaced between the list and the read of it.
    if (retryAdvice(error).kind !== "retry" && statusOf(error) !== 404) throw error;
    return { wanted: 0, count: 0, unhealthy: [`${name} (${messageOf(error).split("\n")[0]})`] };
  }
}

interface MachineState {
  readonly instanceId: string;
  readonly state: string;
}

/** Machines with the parts by which they are not ready behind the rules that lead to those. */
async function readLacking(
  { azure, group, signal }: ScaleSetDeps,
  name: string,
  machines: readonly MachineState[],
  rules: readonly WatchedRule[],
): Promise<readonly MachineState[]> {
  const downOf = await Promise.all(
    rules.map(async ({ loadBalancer, rule, part }) => {
      const call = azure.call(signal);
      const { loadBalancerBackendAddresses = [] } = await azure.network.loadBalancerLoadBalancingRules
        .health(group, loadBalancer, rule, call)
        .pollUntilDone(call);
      const up = loadBalancerBackendAddresses
        .filter(({ state }) => state === "Up")
        .map(({ networkInterfaceIPConfigurationId = "" }) =>
          instanceIn(networkInterfaceIPConfigurationId, name),
        );
      return machines.filter(({ instanceId }) => !up.includes(instanceId)).map((each) => ({ ...each, part }));
    }),
  );
  return machines.flatMap(({ instanceId }) => {
    const parts = downOf.flat().filter((each) => each.instanceId === instanceId);
    if (parts.length === 0) return [];
    return [{ instanceId, state: `no answer of its ${parts.map(({ part }) => part).join(" and ")}` }];
  });
}

/** The instance of a set that an ID of a network interface's configuration is of. */
function instanceIn(id: string, set: string): string | undefined {
  const [, of, instance] = /\/virtualMachineScaleSets\/([^/]+)\/virtualMachines\/([^/]+)\//i.exec(id) ?? [];
  return of?.toLowerCase() === set.toLowerCase() ? instance : undefined;
}

/** Deletes a set and awaits the end, also of a deletion that another process began. */
export async function deleteScaleSet(deps: ScaleSetDeps, name: string): Promise<void> {
  const { azure, group, signal, report } = deps;
  report(`deleting ${name}`);
  await deleteAutoscale(deps, name);
  try {
    const call = azure.call(signal);
    await azure.compute.virtualMachineScaleSets.delete(group, name, call).pollUntilDone(call);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/**
 * Ends the service on all machines of a set, and deletes it. The machines are no longer replaced, say that they are not
 * ready, go on serving while load balancers notice, and let running steps end; all in `limitMs`.
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
  const outcomes = await Promise.allSettled(
    machines.map(({ instanceId = "" }) =>
      virtualMachineScaleSetVMs.runCommand(group, name, instanceId, command, call).pollUntilDone(call),
    ),
  );
  const failed = outcomes.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}

/** The autoscale settings of a set are not deleted with it. */
async function deleteAutoscale({ azure, group, signal }: ScaleSetDeps, name: string): Promise<void> {
  const { id } = await azure.resources.resourceGroups.get(group, azure.call(signal));
  const setting = `${id}/providers/${autoscaleType}/${name}${autoscaleSuffix}`;
  try {
    const call = azure.call(signal);
    await azure.resources.resources
      .deleteById(setting, apiVersionOf(autoscaleType), call)
      .pollUntilDone(call);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
