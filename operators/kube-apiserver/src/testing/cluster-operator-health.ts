import assert from "node:assert/strict";
import { conditionStatus, type KubeObject } from "@keelson/kube";

const healthy = { Available: "True", Progressing: "False", Degraded: "False", Upgradeable: "True" } as const;

/** Fails with the status where the ClusterOperator's conditions are not those of a cluster that is well. */
export function assertHealthy(clusterOperator: KubeObject): void {
  for (const [type, expected] of Object.entries(healthy))
    assert.equal(conditionStatus(clusterOperator, type), expected, JSON.stringify(clusterOperator.status));
}
