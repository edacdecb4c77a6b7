import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ProvisioningState } from "@keelson/arm";
import { type OpenShiftCluster, withProperties } from "@keelson/model";
import type { Graph } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import { adminUpdateGraph } from "../graphs/admin-update.ts";
import { maintenanceTaskGraphs } from "../graphs/maintenance.ts";
import { updateGraph } from "../graphs/update.ts";
import { identityUpdateGraph } from "../graphs/workload-identity.ts";
import { failingAfter } from "./failing-after.ts";
import {
  type ClusterKind,
  creationOf,
  deletionOf,
  type Region,
  stepsOfCreation,
} from "./repeated-creations.ts";
import { runOperation } from "./run-operation.ts";

const inState = (cluster: OpenShiftCluster, provisioningState: ProvisioningState) =>
  withProperties(cluster, { provisioningState });
const namesOf = (graphs: readonly Graph<ClusterContext>[]) =>
  graphs.flatMap(({ steps }) => steps.map(({ name }) => name));

/**
 * Runs an operation repeatedly. The first attempts fail on purpose, each of them `stride` steps later than the previous attempt.
 * The steps after which they fail therefore run again, although they have completed their work. The last attempt must succeed.
 */
async function failAndRepeat(
  { world, database }: Region,
  cluster: OpenShiftCluster,
  graphs: readonly Graph<ClusterContext>[],
  stride: number,
  steps = namesOf(graphs),
): Promise<OpenShiftCluster> {
  const { provisioningState } = cluster.properties;
  let last = cluster;
  for (const step of steps.filter((_, at) => (at + 1) % stride === 0 || at + 1 === steps.length)) {
    const failed = await runOperation(world, database, last, failingAfter(graphs, step));
    assert.match(String(failed.error), new RegExp(`injected after ${step}$`));
    last = inState(failed.document.openShiftCluster, provisioningState);
  }
  const repeated = await runOperation(world, database, last, graphs);
  assert.equal(repeated.error, undefined);
  return repeated.document.openShiftCluster;
}

/** Task ID for the renewal of a managed identity's certificate. */
const identityTask = "7c3f8e2d-9a4b-4f1e-8c5d-2b6a9e7f3d1c";

/**
 * Defines tests of all operations on one cluster, from its creation to its deletion. An operation fails after each `stride`-th step
 * and after its last step.
 */
export function testRepetitions(kind: ClusterKind, regionOf: () => Region, stride = 1): void {
  const step = stride === 1 ? "any step" : `one of ${stride} steps`;
  describe(`an operation on a cluster with ${kind} that failed after ${step} can be repeated:`, () => {
    let cluster: OpenShiftCluster;

    test("a creation, until the installer has begun", async () => {
      const wanted = regionOf().newCluster("demo", kind);
      cluster = await failAndRepeat(
        regionOf(),
        wanted,
        creationOf(wanted),
        stride,
        stepsOfCreation(wanted).resumable,
      );
    });

    test("an update", async () => {
      const graph = kind === "service principal" ? updateGraph : identityUpdateGraph;
      cluster = await failAndRepeat(regionOf(), inState(cluster, "Updating"), [graph], stride);
    });

    test("maintenance", async () => {
      const wanted = inState(cluster, "AdminUpdating");
      cluster = await failAndRepeat(regionOf(), wanted, [adminUpdateGraph(wanted)], stride);
    });

    test("planned maintenance", async () => {
      for (const [id, graph] of maintenanceTaskGraphs) {
        if (kind === "service principal" && id === identityTask) continue;
        cluster = await failAndRepeat(regionOf(), inState(cluster, "AdminUpdating"), [graph], stride);
      }
    });

    test("a deletion", async () => {
      await failAndRepeat(regionOf(), inState(cluster, "Deleting"), deletionOf(cluster), stride);
    });
  });
}
