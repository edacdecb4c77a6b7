import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { silentLogger, systemClock } from "@keelson/base";
import type { WorkloadContext } from "../workload-context/workload-context.ts";
import { PodWorker } from "./pod-worker.ts";
import { ImageRegistry } from "./processes/image-registry.ts";

test("a container that is being started when its pod stops is stopped, and no further container starts", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "pod-worker-"));
  t.after(() => rm(directory, { recursive: true }));
  const started: string[] = [];
  const ended: string[] = [];
  const images = new ImageRegistry();
  images.set("waiting", {
    program: async ({ env, signal }) => {
      started.push(env.NAME ?? "");
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended.push(env.NAME ?? "");
      return 0;
    },
  });
  // The start of the first container waits for this response.
  const response = Promise.withResolvers<KubeObject>();
  const reading = Promise.withResolvers<void>();
  const client = {
    find: () => {
      reading.resolve();
      return response.promise;
    },
  };
  const name = { name: "NAME", valueFrom: { configMapKeyRef: { name: "names", key: "first" } } };
  const pod: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name: "p", uid: "u" },
    spec: {
      containers: [
        { name: "first", image: "waiting", env: [name] },
        { name: "second", image: "waiting", env: [{ name: "NAME", value: "second" }] },
      ],
    },
  };
  const worker = new PodWorker(pod, {
    // The worker uses only these members for a pod without volumes.
    context: { client, clock: systemClock, logger: silentLogger } as unknown as WorkloadContext,
    cluster: {} as LogicalCluster,
    images,
    responds: () => false,
    crashBackoffMs: 10,
    changed: () => undefined,
    nodeDirectory: directory,
    podDirectory: directory,
    claimsDirectory: directory,
  });
  const advanced = worker.advance(pod);
  await reading.promise;
  await worker.stop(0);
  response.resolve({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "names" },
    data: { first: "first" },
  });
  await advanced;
  assert.deepEqual([started, ended], [["first"], ["first"]]);
  assert.ok(worker.containers.every(({ state }) => state.kind === "waiting"));
});
