import type { NewFault } from "../api/faults.ts";
import { consoleErrors } from "../http/errors.ts";
import { listOf } from "../http/world-result.ts";
import type { World, WorldFacts } from "../world/world.ts";
import { machinesOf } from "./cluster-machines.ts";
import { listClusters } from "./service-clusters.ts";

const maxApplications = 5_000;
const maxResources = 5_000;

/**
 * Rejects a fault if its target does not exist. Such a fault would have no effect.
 * @throws BadRequest with the parameter and its valid values
 */
export async function refuseUnknownTargets(
  { kind, cluster, parameters }: NewFault,
  facts: WorldFacts,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const kinds = await world.faults.kinds();
  const known = kinds.find((each) => each.kind === kind);
  if (!known) throw consoleErrors.BadRequest(`Fault kind "${kind}" not found.`);
  if (known.part === "clusters")
    return refuseUnknownNodes({ kind, parameters, cluster }, facts, world, signal);
  if (cluster !== undefined)
    throw consoleErrors.BadRequest(
      `${kind} is a fault of Azure. Use the parameter scope instead of a cluster.`,
    );
  const { scope, clientId } = parameters;
  if (clientId !== undefined) await refuseUnknownApplication(clientId, world, signal);
  if (scope !== undefined) await refuseUnknownScope(scope, facts, world, signal);
}

interface ClusterFault {
  readonly kind: string;
  readonly cluster: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

async function refuseUnknownNodes(
  { kind, cluster, parameters: { node } }: ClusterFault,
  facts: WorldFacts,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  if (cluster === undefined && node === undefined) return;
  const clusters = await listClusters(world.arm, facts, signal);
  const named = clusters.filter(({ name }) => cluster === undefined || name === cluster);
  if (named.length === 0) {
    const names = clusters.map(({ name }) => String(name)).sort();
    throw consoleErrors.BadRequest(
      `Cluster "${cluster}" not found. Clusters: ${names.join(", ") || "none"}.`,
    );
  }
  if (node === undefined) return;
  const [only] = named;
  if (cluster === undefined || !only)
    throw consoleErrors.BadRequest(`${kind} has a node. Select the cluster of the node.`);
  const names = (await machinesOf(only, world, signal)).map(({ name }) => name);
  if (!names.includes(node))
    throw consoleErrors.BadRequest(
      `Node "${node}" not found. Nodes of ${cluster}: ${names.join(", ") || "none"}.`,
    );
}

async function refuseUnknownApplication(
  clientId: string,
  { graph }: World,
  signal: AbortSignal,
): Promise<void> {
  const path = "/v1.0/servicePrincipals?$select=appId&$top=999";
  const { items } = await listOf(graph, path, maxApplications, signal);
  if (items.some(({ appId }) => String(appId).toLowerCase() === clientId.toLowerCase())) return;
  throw consoleErrors.BadRequest(`clientId: application ${clientId} not found.`);
}

/** Rejects a scope that is not the subscription, one of its resource groups, or an existing resource. */
async function refuseUnknownScope(
  scope: string,
  { subscriptionId }: WorldFacts,
  { arm }: World,
  signal: AbortSignal,
): Promise<void> {
  const unknown = () => consoleErrors.BadRequest(`scope: ${scope} not found.`);
  const [, subscriptions, id, groups, group, providers] = scope.replace(/\/+$/, "").toLowerCase().split("/");
  if (subscriptions !== "subscriptions" || id !== subscriptionId.toLowerCase()) throw unknown();
  if (groups === undefined) return;
  if (groups !== "resourcegroups" || !group || !/^[\w.()-]+$/.test(group)) throw unknown();
  const path = `/subscriptions/${subscriptionId}/resourceGroups/${encodeURIComponent(group)}`;
  const found = await arm({ method: "GET", path: `${path}?api-version=2021-04-01` }, signal);
  if (found.status === 404) throw unknown();
  if (providers === undefined) return;
  const resources = `${path}/resources?api-version=2021-04-01`;
  const { items } = await listOf(arm, resources, maxResources, signal);
  const wanted = `${scope.replace(/\/+$/, "").toLowerCase()}/`;
  const ids = items.map((each) => `${String(each.id).toLowerCase()}/`);
  // Resource lists omit child resources. A child's scope begins with its parent's ID.
  if (!ids.some((each) => wanted.startsWith(each))) throw unknown();
}
