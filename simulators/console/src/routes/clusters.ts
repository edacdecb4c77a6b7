import type { ClustersView } from "../api/clusters.ts";
import { consoleErrors } from "../http/errors.ts";
import { type Route, type RouteContext, route } from "../http/route.ts";
import { bodyOf } from "../http/world-result.ts";
import type { World, WorldFacts } from "../world/world.ts";
import { clusterView, summaryOf } from "./cluster-views.ts";
import { requireCount, requireName, requireText } from "./input.ts";
import { scaleMachineSet, selectChannel, startUpdate } from "./kubernetes-changes.ts";
import { clusterRequest, parseNewCluster } from "./new-cluster.ts";
import { clusterApiVersion, listClusters } from "./service-clusters.ts";

const clusterPath = "/api/clusters/{group}/{name}";

/**
 * Routes for clusters, their machines, machine sets and updates. Changes to clusters use ARM. Changes to machines, machine sets
 * and updates use the service's admin API.
 */
export function clusterRoutes(facts: WorldFacts, world: () => Promise<World>): readonly Route[] {
  const idOf = ({ parameter }: RouteContext) => clusterId(facts, parameter("group"), parameter("name"));
  return [
    route("GET", "/api/clusters", async ({ signal }) => {
      const { arm, clusters } = await world();
      const found = await listClusters(arm, facts, signal);
      const view: ClustersView = { clusters: found.map(summaryOf), ...clusters.choices };
      return { status: 200, json: view };
    }),
    route("POST", "/api/clusters", async ({ json, signal }) => {
      const { arm, clusters } = await world();
      const asked = parseNewCluster(await json(), clusters.choices);
      const path = armPath(clusterId(facts, asked.name, asked.name));
      if ((await arm({ method: "GET", path }, signal)).status === 200)
        throw consoleErrors.Conflict(`Cluster ${asked.name} exists.`);
      const prepared = await clusters.prepare(asked.name, signal);
      await bodyOf(arm, { method: "PUT", path, body: clusterRequest(asked, prepared, facts) }, signal);
      return { status: 201 };
    }),
    route("GET", clusterPath, async (context) => {
      return { status: 200, json: await clusterView(idOf(context), await world(), context.signal) };
    }),
    route("DELETE", clusterPath, async (context) => {
      await bodyOf((await world()).arm, { method: "DELETE", path: armPath(idOf(context)) }, context.signal);
      return { status: 202 };
    }),
    route("POST", `${clusterPath}/scale`, async (context) => {
      const { machineSet, replicas } = await context.json();
      const name = requireName(machineSet, "machineSet");
      const count = requireCount(replicas, "replicas", 0, 100);
      await scaleMachineSet(
        { id: idOf(context), machineSet: name, replicas: count },
        await world(),
        context.signal,
      );
      return { status: 202 };
    }),
    route("POST", `${clusterPath}/channel`, async (context) => {
      const channel = requireText((await context.json()).channel, "channel");
      await selectChannel({ id: idOf(context), channel }, await world(), context.signal);
      return { status: 202 };
    }),
    route("POST", `${clusterPath}/update`, async (context) => {
      const version = requireText((await context.json()).version, "version");
      await startUpdate({ id: idOf(context), version }, await world(), context.signal);
      return { status: 202 };
    }),
    route("POST", `${clusterPath}/machines/{machine}/power`, async (context) => {
      const { on } = await context.json();
      if (typeof on !== "boolean") throw consoleErrors.BadRequest("on must be true or false.");
      const machine = requireName(context.parameter("machine"), "machine");
      const path = `/admin${idOf(context)}/${on ? "startvm" : "stopvm"}?vmName=${encodeURIComponent(machine)}`;
      await bodyOf((await world()).service, { method: "POST", path }, context.signal);
      return { status: 204 };
    }),
  ];
}

/** @throws BadRequest */
function clusterId({ subscriptionId }: WorldFacts, group: string, name: string): string {
  const groupId = `/subscriptions/${subscriptionId}/resourceGroups/${requireName(group, "group")}`;
  return `${groupId}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${requireName(name, "name")}`;
}

function armPath(id: string): string {
  return `${id}?api-version=${clusterApiVersion}`;
}
