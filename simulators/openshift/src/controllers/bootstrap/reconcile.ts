import type { ClusterClient } from "@keelson/apiserver";
import { done, type Result } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import type { Cluster } from "../../runtime/cluster.ts";
import { textAt } from "../../runtime/fields.ts";
import { ensureObject } from "../../runtime/objects.ts";
import { resources } from "../../runtime/resources.ts";
import { clusterOperators } from "../cluster-operators/facts.ts";
import { operatorVersion } from "../cluster-operators/plan.ts";

const record = { namespace: "kube-system", name: "bootstrap" };

/** True once the control plane has taken over from the bootstrap machine: ConfigMap `kube-system/bootstrap`. */
export async function isBootstrapComplete(client: ClusterClient): Promise<boolean> {
  return textAt(await client.find(resources.configMaps, record), "data", "status") === "complete";
}

/**
 * Records that the bootstrap machine may go: its control plane operators are rolled out. They only roll out
 * while it runs, so a bootstrap machine that goes too early leaves the cluster incomplete for good.
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
      metadata: record,
      data: { status: "complete" },
    });
  return done;
}
