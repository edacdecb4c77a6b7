import { done, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { bootstrapRecord } from "../cluster-operators/bootstrap-complete.ts";
import { clusterOperators } from "../cluster-operators/facts.ts";
import { operatorVersion } from "../cluster-operators/plan.ts";

/**
 * Records that the bootstrap machine may be deleted because its control plane operators are rolled out. They
 * roll out only while it runs, so an early deletion leaves the cluster incomplete.
 */
export async function reconcileBootstrap(_key: ObjectKey, { client }: Cluster): Promise<Result> {
  const operators = (await client.list(resources.clusterOperators)).items;
  const handedOver = clusterOperators
    .filter(({ bootstraps }) => bootstraps)
    .every(
      ({ name }) => operatorVersion(operators.find(({ metadata }) => metadata.name === name)) !== undefined,
    );
  if (handedOver)
    await ensureObject(client, resources.configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: bootstrapRecord,
      data: { status: "complete" },
    });
  return done;
}
