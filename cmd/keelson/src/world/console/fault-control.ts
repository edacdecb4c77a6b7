import type { FaultKindView, FaultView, World } from "@keelson/sim-console";
import type { FaultKinds } from "../../sim-client/sim-client.ts";
import { SimulatedFaults, type WorldFault } from "../../sim-client/simulated-faults.ts";
import type { Endpoints } from "../../state/endpoints.ts";

type FaultControl = World["faults"] & AsyncDisposable;

/** Controls faults through the same admin APIs as `keelson sim faults`. */
export function faultControl(endpoints: Endpoints, adminToken: string): FaultControl {
  const both = new SimulatedFaults(endpoints, adminToken);
  return {
    list: async () => (await both.list()).map(viewOf),
    kinds: async () => (await both.kindsByPart()).flatMap(({ part, kinds }) => viewsOf(kinds, part)),
    set: async ({ kind, parameters, cluster }) => viewOf(await both.set(kind, parameters, cluster)),
    async clear(id) {
      await both.clear([id]);
    },
    [Symbol.asyncDispose]: () => both[Symbol.asyncDispose](),
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
