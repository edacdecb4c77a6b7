import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { objectAt, silentLogger, stringAt, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { controllerReference } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import { startClusterCache } from "../../runtime/cluster-cache.ts";
import { BuildWorld } from "../testing/build-world.ts";
import { buildIndexOf } from "./build-index.ts";
import { builds } from "./build-refs.ts";
import { reconcileBuild } from "./reconcile-build.ts";
import { reportBuild } from "./report-build.ts";

const namespace = "default";

let world: BuildWorld;
before(async () => {
  world = await BuildWorld.start();
});
after(() => world?.[Symbol.asyncDispose]());

/** Creates a pod with the name of a build's pod. */
async function createPod(name: string, metadata: object = {}): Promise<void> {
  await world.client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name: `${name}-build`,
      labels: { "openshift.io/build.name": name },
      ...metadata,
    },
    spec: { containers: [{ name: "docker-build", image: "busybox" }] },
  });
}

test("a pod without an owner is not the pod of a build, and its log is not the build's log", async () => {
  await createPod("squatted-1");
  await world.setPodPhase("squatted-1", "Succeeded");
  await world.run("squatted");
  const failed = await world.phase("squatted-1", "Error");
  assert.equal(stringAt(failed, "status", "reason"), "BuildPodExists");
  await world.run("logged");
  await world.podOf("logged-1");
  await world.setPodPhase("logged-1", "Running");
  await world.phase("logged-1", "Running");
  await world.client.delete(resources.pods, { namespace, name: "logged-1-build" }, { gracePeriodSeconds: 0 });
  await world.phase("logged-1", "Error");
  await createPod("logged-1");
  const build = await world.client.get(builds, { namespace, name: "logged-1" });
  await world.client.update(builds, { ...build, status: { phase: "Complete" } });
  const log = await world.api.call("GET", `${world.base}/builds/logged-1/log`);
  assert.equal(log.status, 400);
  assert.match(stringAt(log.body, "message") ?? "", /pod "logged-1-build" not found/);
});

test("a build waits until the pod of an earlier build with its name is deleted", async () => {
  const uid = "11111111-1111-1111-1111-111111111111";
  const owner = {
    apiVersion: "build.openshift.io/v1",
    kind: "Build",
    name: "again-1",
    uid,
    controller: true,
  };
  await createPod("again-1", { ownerReferences: [owner] });
  const earlier = await world.podOf("again-1");
  await world.run("again", { output: {} });
  await world.client
    .delete(resources.pods, { namespace, name: "again-1-build" }, { gracePeriodSeconds: 0 })
    .catch(() => undefined);
  await world.phase("again-1", "Pending");
  assert.notEqual((await world.podOf("again-1")).metadata.uid, earlier.metadata.uid);
});

test("a build does not wait longer than two minutes for the end of a pod with its name", async () => {
  const configMap = await world.client.create(resources.configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: "owner" },
  });
  const { blockOwnerDeletion: _, ...owner } = controllerReference(configMap);
  await createPod("kept-1", { ownerReferences: [owner] });
  await world.run("kept", { output: {} });
  const { client } = world;
  await using running = startClusterCache(client, { clock: systemClock, logger: silentLogger });
  const { cache } = running;
  const index = buildIndexOf(cache);
  await cache.synced();
  const build = await world.phase("kept-1", "New");
  assert.equal(index.mayStart(build), true);
  const clock = new ManualClock(new Date(build.metadata.creationTimestamp ?? ""));
  const context = { cache, client, clock, logical: world.api.cluster };
  const key = { namespace, name: "kept-1" };
  assert.deepEqual(await reconcileBuild(key, context), { requeueAfterMs: 1_000 });
  await world.instantiate("kept");
  const queued = await reconcileBuild({ namespace, name: "kept-2" }, context);
  assert.deepEqual(queued, {}, "a queued build is not checked again before it is the next one");
  await clock.advance(8_000);
  assert.deepEqual(await reconcileBuild(key, context), { requeueAfterMs: 8_000 });
  await clock.advance(111_000);
  assert.deepEqual(await reconcileBuild(key, context), { requeueAfterMs: 30_000 });
  await world.phase("kept-1", "New");
  await clock.advance(1_000);
  assert.deepEqual(await reconcileBuild(key, context), {});
  const failed = await world.phase("kept-1", "Error");
  assert.equal(stringAt(failed, "status", "reason"), "BuildPodExists");
  await world.phase("kept-2", "Pending");
});

test("a build that is cancelled while its pod succeeds becomes cancelled", async () => {
  await world.run("late", { output: {} });
  const build = await world.phase("late-1", "Pending");
  const context = { client: world.client, clock: systemClock };
  await world.client.update(builds, { ...build, status: { ...objectAt(build, "status"), cancelled: true } });
  await reportBuild(build, context, { phase: "Complete" });
  const cancelled = await world.phase("late-1", "Cancelled");
  assert.equal(stringAt(cancelled, "status", "reason"), "CancelledBuild");
});

test("pipeline builds stay new", async () => {
  await world.run("pipeline", { strategy: { jenkinsPipelineStrategy: { jenkinsfile: "node {}" } } });
  await world.run("after", { output: {} });
  await world.phase("after-1", "Pending");
  await world.phase("pipeline-1", "New");
  assert.equal(await world.findPod("pipeline-1"), undefined);
});

test("label values of long names are truncated", async () => {
  const name = `${"long".repeat(15)}.x-y.z`;
  await world.run(name, { output: {} });
  const build = await world.client.get(builds, { namespace, name: `${name}-1` });
  assert.equal(build.metadata.labels?.["openshift.io/build-config.name"], `${"long".repeat(15)}.x`);
  assert.equal(build.metadata.annotations?.["openshift.io/build-config.name"], name);
  const pod = await world.podOf(`${name}-1`);
  assert.equal(pod.metadata.labels?.["openshift.io/build.name"], `${"long".repeat(15)}.x`);
  await world.setPodPhase(`${name}-1`, "Succeeded");
  await world.phase(`${name}-1`, "Complete");
});
