import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArmClient } from "../../tests/e2e/support/arm-client.ts";
import { exampleRequest } from "../../tests/e2e/support/cluster-request.ts";
import { Fleet, type FleetOptions } from "../../tests/e2e/support/fleet.ts";
import { WorldClient } from "../../tests/e2e/support/world-client.ts";

const apiVersion = "2025-07-25";

/** Process that the benchmark measures. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** True if the measurement includes child processes. */
  readonly children?: boolean;
}

export function pathOf(client: ArmClient, name: string): string {
  return `${client.cluster(name)}?api-version=${apiVersion}`;
}

/** Creates a cluster in a separate resource group and network. */
export async function createIn(client: ArmClient, name: string) {
  const variables = { ...(await client.clusterVariables(name, name)), VNET_RESOURCEGROUP: name };
  return client.call("PUT", pathOf(client, name), exampleRequest("20250725", variables));
}

/** Starts a fleet without clusters. */
export async function startFleet(
  profiling: readonly string[],
  operators: FleetOptions["operators"] = "none",
) {
  const stack = new AsyncDisposableStack();
  try {
    // A thousand simulated clusters need more heap than Node's default limit. The service gets no option, because it must work
    // with the default limit.
    const nodeOptions = {
      world: ["--max-old-space-size=16384", ...profiling],
      provider: profiling,
    };
    const fleet = stack.use(
      await Fleet.start({
        names: [],
        nodeOptions,
        operators,
        config: { operationsPerSubscription: { running: 100 } },
      }),
    );
    const world = stack.use(new WorldClient(fleet.state.path));
    const { program, client } = await fleet.provider();
    const directory = fleet.postgres.dataDirectory;
    const [postgresPid = ""] = readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n");
    const watched: readonly Watched[] = [
      { name: "service", pid: program.child.pid ?? 0 },
      { name: "world", pid: fleet.world.child.pid ?? 0 },
      { name: "database", pid: Number(postgresPid), children: true },
    ];
    const stop = async () => {
      await program.signal("SIGTERM");
      await fleet.world.signal("SIGTERM");
    };
    /** Creates a customer's network in a resource group with the cluster's name. */
    const makeNetwork = async (name: string) => {
      const group = `/subscriptions/${client.subscriptionId}/resourceGroups/${name}`;
      await world.azure("PUT", group, "2021-04-01", { location: "eastus" });
      const subnets = ["master", "worker"].map((role, at) => ({
        name: `${name}-${role}`,
        properties: { addressPrefix: `10.0.${at}.0/24` },
      }));
      await world.azure("PUT", `${group}/providers/Microsoft.Network/virtualNetworks/vnet`, "2020-08-01", {
        location: "eastus",
        properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets },
      });
    };
    return {
      client,
      program,
      watched,
      stop,
      makeNetwork,
      configFile: fleet.state.file("fleet.json"),
      databaseUrl: fleet.databaseUrl,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
