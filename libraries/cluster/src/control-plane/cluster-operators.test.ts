import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { silentLogger } from "@keelson/base";
import { KubeError } from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import { executeStep } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import { explainStepError } from "../explain.ts";
import { bootstrapGraph, removeBootstrapGraph } from "../graphs/create.ts";
import { retryPolicy } from "../retry-policy.ts";
import { hurriedClock } from "../testing/store.ts";

const minuteMs = 60_000;
const never = new AbortController().signal;

for (const { name, steps } of [bootstrapGraph, removeBootstrapGraph]) {
  const ready = steps.filter((step) => step.name.startsWith("apiServersReady"));
  test(`an API server that never gets ready fails the ${name} graph after 30 minutes, in known words`, async () => {
    assert.ok(ready.length > 0);
    for (const step of ready) {
      const clock = hurriedClock();
      const context = {
        kube: () => ({ ready: () => Promise.reject(new KubeError(0, "Unreachable", "connection refused")) }),
        // The fake context contains only a Kubernetes client, because the step uses nothing else.
      } as unknown as ClusterContext;
      const outcome = await executeStep(step, 1, {
        guard: { ...heldGuard, assertHeld: () => {} },
        signal: never,
        draining: never,
        clock,
        logger: silentLogger,
        report: () => {},
        context: () => context,
        retryPolicy: retryPolicy({ authorizationRetry: { everyMs: 30_000, forMs: 600_000 } }),
      });
      assert.equal(outcome.kind, "failed");
      const told =
        outcome.kind === "failed" && explainStepError(outcome.error, newCluster({ name: "demo" }), "/none");
      assert.ok(told instanceof CloudError);
      assert.equal(told.status, 500);
      assert.deepEqual(told.body, {
        code: "DeploymentFailed",
        message:
          "Kube API has not initialised successfully and is unavailable. Please retry, and if the issue persists, raise an Azure support ticket",
      });
      assert.equal(Math.round(sum(clock.slept)), 30 * minuteMs);
    }
  });
}

const heldGuard = {
  signal: never,
  attempt: 1,
  survivedLosses: [],
  lease: {
    collection: "openshift_clusters",
    partitionKey: "p",
    id: "c",
    owner: "o",
    generation: 1,
    expiresAt: new Date(0),
  },
};

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
