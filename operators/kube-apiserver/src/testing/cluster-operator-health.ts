import assert from "node:assert/strict";
import { conditionStatus, type KubeObject } from "@keelson/kube";

const healthy = { Available: "True", Progressing: "False", Degraded: "False", Upgradeable: "True" } as const;

/** Asserts that the ClusterOperator has the conditions of a healthy cluster. The assertion message contains the status. */
export function assertHealthy(clusterOperator: KubeObject): void {
  for (const [type, expected] of Object.entries(healthy))
    assert.equal(conditionStatus(clusterOperator, type), expected, JSON.stringify(clusterOperator.status));
}
