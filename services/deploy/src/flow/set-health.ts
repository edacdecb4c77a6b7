import { retryAdvice, statusOf } from "@keelson/azure";
import { messageOf, onTimeDeadline } from "@keelson/base";
import { errors } from "../config/errors.ts";
import { lastLogLines } from "./machine-log.ts";
import type { ScaleSetDeps } from "./scale-sets.ts";
import { writeRefusal } from "./write-readiness.ts";

const pollMs = 10_000;

/** Load balancer rule that forwards to one component of the machines. */
export interface WatchedRule {
  readonly loadBalancer: string;
  readonly rule: string;
  /** Component name, for example `portal`. */
  readonly part: string;
}

/** Additional conditions that healthy machines must meet. */
export interface HealthTerms {
  /** Load balancer rules that must report each machine as ready. Default: none. */
  readonly rules?: readonly WatchedRule[];
  /** True if each machine must accept writes (`/healthz/ready/write`). */
  readonly writes?: boolean;
}

/**
 * Waits until every machine of a set is healthy and meets `terms`. Polls every ten seconds.
 * @throws UnhealthyScaleSet `limitMs` after the last machine became healthy, with the unhealthy machines
 */
export async function awaitHealthy(
  deps: ScaleSetDeps,
  name: string,
  limitMs: number,
  terms: HealthTerms = {},
): Promise<void> {
  const { clock, signal, report } = deps;
  let isOver = onTimeDeadline(clock, limitMs);
  let mostHealthy: number | undefined;
  for (;;) {
    const health = await readHealth(deps, name, terms);
    const { unhealthy } = health;
    if (unhealthy.length === 0 && health.count >= health.wanted && health.wanted > 0) return;
    const healthy = health.count - unhealthy.length;
    const state = `${healthy} of ${health.wanted} machines of ${name} are healthy`;
    if (mostHealthy !== undefined && healthy > mostHealthy) isOver = onTimeDeadline(clock, limitMs);
    mostHealthy = Math.max(mostHealthy ?? 0, healthy);
    if (isOver()) {
      const named = unhealthy.map(
        (each) => `${name}${each.instanceId && `/${each.instanceId}`} (${each.state})`,
      );
      throw errors.UnhealthyScaleSet(
        `After ${inWords(limitMs)} only ${state}${named.length > 0 ? `; not so ${named.join(", ")}` : ""}.${await logOf(deps, name, unhealthy[0])}`,
      );
    }
    report(state);
    await clock.sleep(pollMs, signal);
  }
}

/**
 * Returns the last log lines of an unhealthy machine as the suffix of an error message. Returns an empty string if the log is
 * empty.
 */
async function logOf(deps: ScaleSetDeps, name: string, machine: MachineState | undefined): Promise<string> {
  if (!machine?.instanceId) return "";
  const lines = await lastLogLines(deps, name, machine.instanceId);
  if (lines.length === 0) return "";
  return ` Last lines of the log of ${name}/${machine.instanceId}:${lines.map((line) => `\n  ${line}`).join("")}`;
}

function inWords(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`;
}

interface Health {
  readonly wanted: number;
  readonly count: number;
  /** Unhealthy machines. An entry with an empty instance ID means that the machines of the scale set could not be read. */
  readonly unhealthy: readonly MachineState[];
}

interface MachineState {
  readonly instanceId: string;
  readonly state: string;
}

/**
 * Reads the health of a scale set's machines. If a transient error prevents reading, the result contains a placeholder for one
 * unhealthy machine.
 */
async function readHealth(
  deps: ScaleSetDeps,
  name: string,
  { rules = [], writes = false }: HealthTerms,
): Promise<Health> {
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
    // The readiness of components is queried only if all machines are healthy.
    const silent = ill.length > 0 ? [] : await readLacking(deps, name, states, rules);
    const lacking = writes && ill.length + silent.length === 0 ? await readOnly(deps, name, states) : silent;
    return {
      wanted: sku?.capacity ?? 0,
      count: machines.length,
      unhealthy: [...ill, ...lacking],
    };
  } catch (error) {
    signal.throwIfAborted();
    // Azure may replace a machine after listing it. A request for the replaced machine then returns 404.
    if (retryAdvice(error).kind !== "retry" && statusOf(error) !== 404) throw error;
    return {
      wanted: 0,
      count: 0,
      unhealthy: [{ instanceId: "", state: messageOf(error).split("\n")[0] ?? "" }],
    };
  }
}

/** Returns the machines on which the resource provider rejects writes. */
async function readOnly(
  deps: ScaleSetDeps,
  name: string,
  machines: readonly MachineState[],
): Promise<readonly MachineState[]> {
  const asked = machines.map(async ({ instanceId }) => {
    const state = await writeRefusal(deps, name, instanceId);
    return state === undefined ? [] : [{ instanceId, state }];
  });
  return (await Promise.all(asked)).flat();
}

/** Returns the machines with components that the load balancer reports as unready. */
async function readLacking(
  { azure, group, signal }: ScaleSetDeps,
  name: string,
  machines: readonly MachineState[],
  rules: readonly WatchedRule[],
): Promise<readonly MachineState[]> {
  const parts = await Promise.all(
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
      return { part, up };
    }),
  );
  return machines.flatMap(({ instanceId }) => {
    const silent = parts.filter(({ up }) => !up.includes(instanceId)).map(({ part }) => part);
    return silent.length === 0 ? [] : [{ instanceId, state: `no response from its ${silent.join(" and ")}` }];
  });
}

/**
 * Extracts the scale set instance from the ID of a network interface configuration. Returns undefined if the ID belongs to a
 * different scale set.
 */
function instanceIn(id: string, set: string): string | undefined {
  const [, of, instance] = /\/virtualMachineScaleSets\/([^/]+)\/virtualMachines\/([^/]+)\//i.exec(id) ?? [];
  return of?.toLowerCase() === set.toLowerCase() ? instance : undefined;
}
