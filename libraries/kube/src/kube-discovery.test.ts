import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeError } from "./index.ts";
import { discoverResource } from "./kube-discovery.ts";

const resource = (name: string, kind: string, namespaced = true) => ({
  name,
  singularName: kind.toLowerCase(),
  kind,
  namespaced,
});

const responses: Readonly<Record<string, unknown>> = {
  "/api/v1": {
    resources: [resource("pods/log", "Pod"), resource("pods", "Pod"), resource("nodes", "Node", false)],
  },
  "/apis": {
    groups: [
      {
        name: "batch",
        versions: [{ version: "v1beta1" }, { version: "v1" }],
        preferredVersion: { version: "v1" },
      },
      { name: "machine.openshift.io", versions: [{ version: "v1beta1" }] },
      { name: "broken.example.com", versions: [{ version: "v1" }] },
      { name: "metrics.k8s.io", versions: [{ version: "v1beta1" }] },
    ],
  },
  "/apis/batch/v1": { resources: [resource("jobs", "Job")] },
  "/apis/batch/v1beta1": { resources: [resource("jobs", "Job"), resource("cronjobs", "CronJob")] },
  "/apis/machine.openshift.io/v1beta1": { resources: [resource("machines", "Machine")] },
  "/apis/metrics.k8s.io/v1beta1": { resources: [resource("pods", "PodMetrics")] },
};

async function read(path: string): Promise<unknown> {
  if (path in responses) return responses[path];
  throw new KubeError(503, "ServiceUnavailable", path);
}

test("kinds are found by any of their names, in the group that is meant", async () => {
  const rows: readonly [wanted: string, version: string | undefined, found: string | undefined][] = [
    ["Pod", undefined, "/v1/pods"],
    ["pods", undefined, "/v1/pods"],
    ["NODES", undefined, "/v1/nodes"],
    ["Pod.metrics.k8s.io", undefined, undefined],
    ["pods.metrics.k8s.io", undefined, "metrics.k8s.io/v1beta1/pods"],
    ["PodMetrics", undefined, "metrics.k8s.io/v1beta1/pods"],
    ["Job.batch", undefined, "batch/v1/jobs"],
    ["Job", "v1beta1", "batch/v1beta1/jobs"],
    ["CronJob", undefined, "batch/v1beta1/cronjobs"],
    ["Machine", undefined, "machine.openshift.io/v1beta1/machines"],
    ["Machine.machine", undefined, "machine.openshift.io/v1beta1/machines"],
    ["Machine.nowhere", undefined, undefined],
    ["Secret.broken", undefined, undefined],
    ["Pod", "v2", undefined],
    ["", undefined, undefined],
    ["pods/log", undefined, undefined],
  ];
  for (const [wanted, version, expected] of rows) {
    const found = await discoverResource(read, wanted, version);
    assert.equal(
      found && `${found.group}/${found.version}/${found.plural}`.replace(/^\//, "/"),
      expected,
      wanted,
    );
  }
  assert.equal((await discoverResource(read, "Node"))?.namespaced, false);
});

test("an unreachable server is an error", async () => {
  const silent = () => Promise.reject(new KubeError(0, "Unreachable", "no route"));
  await assert.rejects(discoverResource(silent, "Pod"), KubeError);
});
