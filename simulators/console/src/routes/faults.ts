import { isPlainObject } from "@keelson/base";
import type { FaultsView, NewFault } from "../api/faults.ts";
import { consoleErrors } from "../http/errors.ts";
import { type Route, route } from "../http/route.ts";
import type { World, WorldFacts } from "../world/world.ts";
import { refuseUnknownTargets } from "./fault-targets.ts";
import { clusterNames } from "./service-clusters.ts";

/** Routes for the faults of the simulated Azure and the simulated clusters. */
export function faultRoutes(facts: WorldFacts, world: () => Promise<World>): readonly Route[] {
  return [
    route("GET", "/api/faults", async ({ signal }) => {
      const connected = await world();
      const [faults, kinds, clusters] = await Promise.all([
        connected.faults.list(),
        connected.faults.kinds(),
        clusterNames(connected.arm, facts, signal),
      ]);
      const view: FaultsView = { faults, kinds, clusters };
      return { status: 200, json: view };
    }),
    route("POST", "/api/faults", async ({ json, signal }) => {
      const fault = parseFault(await json());
      const connected = await world();
      await refuseUnknownTargets(fault, facts, connected, signal);
      return { status: 201, json: await connected.faults.set(fault) };
    }),
    route("DELETE", "/api/faults/{id}", async ({ parameter }) => {
      const { faults } = await world();
      const id = parameter("id");
      if (!(await faults.list()).some((each) => each.id === id))
        throw consoleErrors.NotFound(`Fault ${id} not found.`);
      await faults.clear(id);
      return { status: 204 };
    }),
  ];
}

function parseFault({ kind, cluster, parameters = {} }: Readonly<Record<string, unknown>>): NewFault {
  if (typeof kind !== "string") throw consoleErrors.BadRequest("kind must be a string.");
  if (cluster !== undefined && typeof cluster !== "string")
    throw consoleErrors.BadRequest("cluster must be a string.");
  if (!isPlainObject(parameters)) throw consoleErrors.BadRequest("parameters must be an object.");
  const texts = Object.entries(parameters).map(([name, value]): readonly [string, string] => {
    if (typeof value === "string") return [name, value];
    throw consoleErrors.BadRequest(`parameters.${name} must be a string.`);
  });
  return { kind, ...(cluster === undefined ? {} : { cluster }), parameters: Object.fromEntries(texts) };
}
