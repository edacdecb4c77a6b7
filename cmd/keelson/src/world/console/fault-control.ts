import type { FaultKindView, FaultView, World } from "@keelson/sim-console";
import { SimAzureClient } from "../../sim-client/sim-azure-client.ts";
import { type FaultKinds, SimClient } from "../../sim-client/sim-client.ts";
import { SimulatedFaults, type WorldFault } from "../../sim-client/simulated-faults.ts";
import type { Endpoints } from "../../state/endpoints.ts";

type FaultControl = World["faults"] & AsyncDisposable;

/** Faults by the same interfaces as `keelson sim faults`. */
export function faultControl(endpoints: Endpoints, adminToken: string): FaultControl {
  const both = new SimulatedFaults(endpoints, adminToken);
  const azure = new SimAzureClient(endpoints, adminToken);
  const clusters = new SimClient(endpoints, adminToken);
  return {
    list: async () => (await both.list()).map(viewOf),
    async kinds() {
      const [ofAzure, ofClusters] = await Promise.all([azure.faultKinds(), clusters.faultKinds()]);
      return [...viewsOf(ofAzure, "azure"), ...viewsOf(ofClusters, "clusters")];
    },
    set: async ({ kind, parameters, cluster }) => viewOf(await both.set(kind, parameters, cluster)),
    async clear(id) {
      await both.clear([id]);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([both, azure, clusters].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

function viewOf(fault: WorldFault): FaultView {
  const { id, kind, parameters } = fault;
  if ("matched" in fault) {
    const { matched, injected } = fault;
    return { id, kind, part: "azure", parameters, matched, injected };
  }
  const { cluster } = fault;
  return { id, kind, part: "clusters", parameters, ...(cluster === undefined ? {} : { cluster }) };
}

function viewsOf(kinds: FaultKinds, part: FaultKindView["part"]): readonly FaultKindView[] {
  return Object.entries(kinds).map(([kind, { description, parameters }]) => ({
    kind,
    part,
    description,
    parameters: Object.entries(parameters).map(([name, facts]) => ({
      name,
      type: facts.type === "text" ? ("text" as const) : ("number" as const),
      required: facts.required,
      description: facts.description,
    })),
  }));
}
