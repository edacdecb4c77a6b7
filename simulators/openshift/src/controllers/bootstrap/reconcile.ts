import { done, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { bootstrapRecord } from "../cluster-operators/bootstrap-complete.ts";
import { clusterOperators } from "../cluster-operators/facts.ts";
import { operatorVersion } from "../cluster-operators/plan.ts";

/**
 * Records that the bootstrap machine may be deleted because the control plane operators have rolled out. The operators roll out
 * only while the bootstrap machine runs. If the machine is deleted earlier, the cluster remains incomplete.
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
