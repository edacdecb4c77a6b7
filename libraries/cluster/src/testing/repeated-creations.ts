import assert from "node:assert/strict";
import {
  type OpenShiftCluster,
  type ServiceDatabase,
  usesWorkloadIdentity,
  withProperties,
} from "@keelson/model";
import { newCluster, withIdentities } from "@keelson/model/testing";
import type { Graph } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import { bootstrapGraph, removeBootstrapGraph } from "../graphs/create.ts";
import { deleteGraph } from "../graphs/delete.ts";
import {
  identityBootstrapGraph,
  identityDeleteGraph,
  identityRemoveBootstrapGraph,
} from "../graphs/workload-identity.ts";
import { putSubscription } from "./documents.ts";
import { failingAfter } from "./failing-after.ts";
import { createIdentities, putRoleSets } from "./identities.ts";
import { runOperation } from "./run-operation.ts";
import { openStore, signal } from "./store.ts";
import { startWorld, type World } from "./world.ts";

export type ClusterKind = "service principal" | "managed identities";

/** Empty region for tests in which operations fail and are then repeated. */
export interface Region extends AsyncDisposable {
  readonly world: World;
  readonly database: ServiceDatabase;
  newCluster(name: string, kind: ClusterKind): OpenShiftCluster;
}

export async function startRegion(): Promise<Region> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await startWorld());
  const database = stack.use(await openStore());
  await putSubscription(database, world.subscriptionId);
  await putRoleSets(database, signal);
  const names = ["cluster", "machine-api", "image-registry", "aro-operator"] as const;
  const { cluster, ...operators } = await createIdentities(world, names, signal);
  const subnets = {
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  };
  const [principal] = world.clusterPrincipals;
  assert.ok(principal);
  const kept = stack.move();
  return {
    world,
    database,
    newCluster(name, kind) {
      const shape = { name, subscriptionId: world.subscriptionId, ...subnets };
      return kind === "service principal"
        ? newCluster({ ...shape, principal })
        : withIdentities(newCluster(shape), world.identityUrl, cluster, operators);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export function creationOf(cluster: OpenShiftCluster): readonly Graph<ClusterContext>[] {
  return usesWorkloadIdentity(cluster)
    ? [identityBootstrapGraph, identityRemoveBootstrapGraph]
    : [bootstrapGraph, removeBootstrapGraph];
}

export function deletionOf(cluster: OpenShiftCluster): readonly Graph<ClusterContext>[] {
  return [usesWorkloadIdentity(cluster) ? identityDeleteGraph : deleteGraph];
}

/**
 * Splits the steps of a creation into two parts. After a failure in the first part, the customer can repeat the creation. After a
 * failure in the second part, the customer can only delete the cluster.
 */
export function stepsOfCreation(cluster: OpenShiftCluster) {
  const names = creationOf(cluster).flatMap(({ steps }) => steps.map(({ name }) => name));
  const installer = names.indexOf("generateInstallState");
  return { resumable: names.slice(0, installer), final: names.slice(installer) };
}

/** Makes a creation fail after a step, and asserts that the cluster can then be deleted. */
export async function failAndDelete({ world, database }: Region, cluster: OpenShiftCluster, step: string) {
  const creation = failingAfter(creationOf(cluster), step);
  const failed = await runOperation(world, database, cluster, creation);
  assert.match(String(failed.error), new RegExp(`injected after ${step}$`));
  const deleting = withProperties(failed.document.openShiftCluster, { provisioningState: "Deleting" });
  const { error } = await runOperation(world, database, deleting, deletionOf(cluster));
  assert.equal(error, undefined, `the cluster can be deleted after ${step}`);
}
