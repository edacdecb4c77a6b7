import { cliErrors } from "../output/cli-errors.ts";
import type { Endpoints } from "../state/endpoints.ts";
import { type AzureFault, SimAzureClient } from "./sim-azure-client.ts";
import { type Fault, type FaultKinds, SimClient } from "./sim-client.ts";

export type WorldFault = Fault | AzureFault;

interface PartKinds {
  readonly part: "azure" | "clusters";
  readonly kinds: FaultKinds;
}

/**
 * Client for the faults of the simulated Azure and the simulated clusters. It also works if only one of these simulators is
 * running.
 */
export class SimulatedFaults implements AsyncDisposable {
  readonly #azure: SimAzureClient;
  readonly #clusters: SimClient;

  constructor(endpoints: Endpoints, adminToken: string) {
    this.#azure = new SimAzureClient(endpoints, adminToken);
    this.#clusters = new SimClient(endpoints, adminToken);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#azure[Symbol.asyncDispose](), this.#clusters[Symbol.asyncDispose]()]);
  }

  async list(): Promise<readonly WorldFault[]> {
    return (
      await inHalvesThatRun<readonly WorldFault[]>(
        () => this.#azure.listFaults(),
        () => this.#clusters.listFaults(),
      )
    ).flat();
  }

  async kinds(): Promise<FaultKinds> {
    return Object.assign({}, ...(await this.kindsByPart()).map(({ kinds }) => kinds));
  }

  /** Returns the fault kinds of each running simulator. */
  kindsByPart(): Promise<readonly PartKinds[]> {
    return inHalvesThatRun<PartKinds>(
      async () => ({ part: "azure", kinds: await this.#azure.faultKinds() }),
      async () => ({ part: "clusters", kinds: await this.#clusters.faultKinds() }),
    );
  }

  /** Injects a fault. The kind selects the simulator, because no kind exists in both. */
  async set(
    kind: string,
    parameters: Readonly<Record<string, string>>,
    cluster?: string,
  ): Promise<WorldFault> {
    const parts = await this.kindsByPart();
    const owner = parts.find(({ kinds }) => Object.hasOwn(kinds, kind));
    if (!owner) {
      const names = parts.flatMap(({ kinds }) => Object.keys(kinds)).sort();
      throw cliErrors.RequestFailed(`unknown kind "${kind}": it is one of ${names.join(", ")}`);
    }
    if (owner.part === "clusters") {
      return this.#clusters.setFault({ kind, parameters, ...(cluster === undefined ? {} : { cluster }) });
    }
    if (cluster !== undefined) {
      throw cliErrors.RequestFailed(
        `${kind} is a fault of Azure, not of a cluster: say scope=, not --cluster`,
      );
    }
    return this.#azure.setFault(kind, parameters);
  }

  async clear(ids: readonly string[]): Promise<readonly WorldFault[]> {
    const ofAzure = (await this.#azure.listFaults().catch(() => [])).map(({ id }) => id);
    const cleared: WorldFault[] = [];
    for (const id of ids) {
      const half = ofAzure.includes(id) ? this.#azure : this.#clusters;
      cleared.push(...(await half.clearFaults(id)));
    }
    return cleared;
  }

  async clearAll(): Promise<readonly WorldFault[]> {
    return (
      await inHalvesThatRun<readonly WorldFault[]>(
        () => this.#azure.clearFaults(),
        () => this.#clusters.clearFaults(),
      )
    ).flat();
  }
}

/** Calls both simulators and returns the results of the calls that succeeded. @throws the first error if all calls fail */
async function inHalvesThatRun<T>(...asks: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const responses = await Promise.allSettled(asks.map((ask) => ask()));
  const given = responses.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [first] = responses;
  if (given.length === 0 && first?.status === "rejected") throw first.reason;
  return given;
}
