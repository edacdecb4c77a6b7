import { unlessGone } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import { azureNames, infraIdOf, managedGroupOf, networkId } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { type DiagnosticSource, enumeration, type Finding, finding } from "./finding.ts";

const maxMachines = 20;
const consoleBytes = 50 * 1024;
const sasUriExpirationTimeInMinutes = 5;
const hourMs = 3_600_000;

/**
 * Creates a source that inspects the cluster's Azure resources. The source returns no finding before the names of the resources
 * are generated.
 */
function azureSource(
  name: string,
  limitMs: number,
  inspect: (context: ClusterContext) => Promise<Finding | undefined>,
): DiagnosticSource {
  return {
    name,
    ofInstallsOnly: true,
    limitMs,
    inspect: async (context) => (context.cluster.properties.infraId ? inspect(context) : undefined),
  };
}

export const azureSources: readonly DiagnosticSource[] = [
  azureSource("virtualMachines", 45_000, async (context) => {
    const machines = await machinesOf(context);
    const facts = await Promise.all(machines.map((each) => machineFact(context, each)));
    const failed = machines.filter(({ state }) => state !== "Succeeded");
    return finding(
      facts,
      failed.length > 0 &&
        `Virtual machines that Azure has not made: ${enumeration(failed.map(({ name, state }) => `${name} (${state})`))}.`,
    );
  }),

  azureSource("internalLoadBalancer", 20_000, async (context) => {
    const { cluster, azure, signal } = context;
    const name = azureNames(infraIdOf(cluster)).internalLoadBalancer;
    const found = await unlessGone(() =>
      azure.network.loadBalancers.get(managedGroupOf(cluster), name, azure.call(signal)),
    );
    if (!found) return finding([], `There is no internal load balancer ${name}.`);
    const pools = (found.backendAddressPools ?? []).map((each) => ({
      name: each.name,
      members: each.backendIPConfigurations?.length ?? 0,
    }));
    const isEmpty = pools.every(({ members }) => members === 0);
    const facts = {
      provisioningState: found.provisioningState,
      addresses: found.frontendIPConfigurations?.map((each) => each.privateIPAddress),
      pools,
      rules: found.loadBalancingRules?.map((each) => ({
        name: each.name,
        frontendPort: each.frontendPort,
        backendPort: each.backendPort,
      })),
      probes: found.probes?.map(({ name, protocol, port, requestPath }) => ({
        ...{ name, protocol, port, requestPath },
      })),
      availability: await probeAvailability(context, networkId(cluster, "loadBalancers", name)),
    };
    return finding([facts], isEmpty && "No machine is behind the internal load balancer.");
  }),
];

interface Machine {
  readonly name: string;
  readonly state: string;
}

async function machinesOf({ cluster, azure, signal }: ClusterContext): Promise<readonly Machine[]> {
  const listed = azure.compute.virtualMachines.list(managedGroupOf(cluster), azure.call(signal));
  const all = await unlessGone(() => Array.fromAsync(listed));
  return (all ?? [])
    .slice(0, maxMachines)
    .map(({ name = "", provisioningState = "Unknown" }) => ({ name, state: provisioningState }));
}

/**
 * Returns the state of one machine for the log. If a value cannot be read, the result contains the error instead of the value.
 */
async function machineFact(
  context: ClusterContext,
  { name, state }: Machine,
): Promise<Record<string, unknown>> {
  const [power, serialConsole] = await Promise.all([
    orError(() => powerStates(context, name)),
    orError(() => consoleOf(context, name)),
  ]);
  return { virtualMachine: name, provisioningState: state, power, serialConsole };
}

async function orError<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

async function powerStates(
  { cluster, azure, signal }: ClusterContext,
  name: string,
): Promise<readonly string[]> {
  const view = await azure.compute.virtualMachines.instanceView(
    managedGroupOf(cluster),
    name,
    azure.call(signal),
  );
  return (view.statuses ?? []).flatMap(({ code }) => code ?? []);
}

/** Returns the last lines of a machine's serial console. Empty and repeated lines are omitted. */
async function consoleOf(
  { cluster, azure, signal }: ClusterContext,
  name: string,
): Promise<readonly string[]> {
  const { serialConsoleLogBlobUri } = await azure.compute.virtualMachines.retrieveBootDiagnosticsData(
    managedGroupOf(cluster),
    name,
    { ...azure.call(signal), sasUriExpirationTimeInMinutes },
  );
  if (!serialConsoleLogBlobUri) return [];
  let tail = Buffer.alloc(0);
  let isCut = false;
  for await (const piece of azure.raw.download(serialConsoleLogBlobUri, signal)) {
    const all = Buffer.concat([tail, piece]);
    isCut ||= all.length > consoleBytes;
    tail = all.subarray(Math.max(0, all.length - consoleBytes));
  }
  const lines = tail.toString("utf8").split("\n");
  return consoleLines(isCut ? lines.slice(1) : lines);
}

export function consoleLines(lines: readonly string[]): readonly string[] {
  const trimmed = lines.map((each) => each.trim());
  return trimmed.filter((each, index) => each !== "" && each !== trimmed[index - 1]);
}

/**
 * Returns the availability of the load balancer's probes in the last hour, in percent. Azure publishes this metric with a delay.
 */
async function probeAvailability({ azure, clock, signal }: ClusterContext, id: string): Promise<unknown> {
  const until = clock.now();
  const from = new Date(until.getTime() - hourMs);
  return orError(async () => {
    const { value } = await azure.raw.get(
      `${id}/providers/Microsoft.Insights/metrics`,
      {
        "api-version": "2018-01-01",
        metricnames: "DipAvailability",
        aggregation: "Average",
        interval: "PT5M",
        timespan: `${from.toISOString()}/${until.toISOString()}`,
      },
      signal,
    );
    return value ?? null;
  });
}
