import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { BuildWorld } from "../testing/build-world.ts";
import { buildConfigs, builds } from "./build-refs.ts";

const namespace = "default";

let world: BuildWorld;
before(async () => {
  world = await BuildWorld.start();
});
after(() => world?.[Symbol.asyncDispose]());

test("a build runs in a pod and tags its image", async () => {
  await world.createConfig("web");
  const env = [{ name: "B", value: "2" }];
  const { status, body } = await world.instantiate("web", { env });
  assert.equal(status, 201, stringAt(body, "message"));
  assert.equal(stringAt(body, "metadata", "name"), "web-1");
  assert.equal(stringAt(body, "metadata", "labels", "openshift.io/build-config.name"), "web");
  assert.equal(stringAt(body, "metadata", "labels", "app"), "test");
  assert.deepEqual(valueAt(body, "spec", "strategy", "dockerStrategy", "env"), [
    { name: "A", value: "1" },
    ...env,
  ]);
  assert.deepEqual(valueAt(body, "spec", "triggeredBy"), [{ message: "Manually triggered" }]);
  const pod = await world.podOf("web-1");
  assert.equal(stringAt(pod, "spec", "serviceAccountName"), "builder");
  assert.equal(stringAt(pod, "spec", "containers", 0, "name"), "docker-build");
  const pending = await world.phase("web-1", "Pending");
  assert.match(stringAt(pending, "status", "outputDockerImageReference") ?? "", /:5000\/default\/app:v1$/);
  await world.setPodPhase("web-1", "Running");
  assert.ok(stringAt(await world.phase("web-1", "Running"), "status", "startTimestamp"));
  await world.setPodPhase("web-1", "Succeeded");
  const complete = await world.phase("web-1", "Complete");
  const digest = stringAt(complete, "status", "output", "to", "imageDigest");
  const tag = await world.api.call(
    "GET",
    `/apis/image.openshift.io/v1/namespaces/${namespace}/imagestreamtags/app:v1`,
  );
  assert.equal(stringAt(tag.body, "image", "metadata", "name"), digest);
  const config = await world.client.get(buildConfigs, { namespace, name: "web" });
  assert.equal(valueAt(config, "status", "lastVersion"), 1);
});

test("a serial build waits for its predecessor, and oc cancel-build ends one", async () => {
  await world.createConfig("serial");
  await world.instantiate("serial");
  await world.instantiate("serial");
  await world.podOf("serial-1");
  await world.phase("serial-2", "New");
  assert.equal(await world.findPod("serial-2"), undefined);
  const { body } = await world.api.call("GET", `${world.base}/builds/serial-1`);
  const cancelled = { ...objectAt(body), status: { ...objectAt(body, "status"), cancelled: true } };
  assert.equal(
    (await world.api.call("PUT", `${world.base}/builds/serial-1`, { body: cancelled })).status,
    200,
  );
  assert.equal(stringAt(await world.phase("serial-1", "Cancelled"), "status", "reason"), "CancelledBuild");
  await world.podOf("serial-2");
  assert.equal(await world.findPod("serial-1"), undefined);
  const log = await world.api.call("GET", `${world.base}/builds/serial-1/log`);
  assert.equal(log.status, 400);
  assert.match(stringAt(log.body, "message") ?? "", /serial-1 was cancelled/);
  await world.setPodPhase("serial-2", "Failed");
  assert.equal(stringAt(await world.phase("serial-2", "Failed"), "status", "reason"), "GenericBuildFailed");
});

test("a build with a missing image stream waits with a reason, and a deleted pod is an error", async () => {
  await world.createConfig("late", { output: { to: { kind: "ImageStreamTag", name: "late:latest" } } });
  await world.instantiate("late");
  await eventually(async () => {
    const build = await world.client.get(builds, { namespace, name: "late-1" });
    assert.equal(stringAt(build, "status", "reason"), "InvalidOutputReference");
  });
  await world.createStream("late");
  await world.phase("late-1", "Pending");
  await world.client.delete(resources.pods, { namespace, name: "late-1-build" });
  assert.equal(stringAt(await world.phase("late-1", "Error"), "status", "reason"), "BuildPodDeleted");
});

test("instantiatebinary accepts a file of any type", async () => {
  await world.createConfig("binary", { source: { type: "Binary", binary: {} }, output: {} });
  const path = `${world.base}/buildconfigs/binary/instantiatebinary?asFile=app.jar`;
  const { status, body } = await world.api.call("POST", path, {
    body: "not an object",
    contentType: "application/octet-stream",
  });
  assert.equal(status, 201, stringAt(body, "message"));
  assert.deepEqual(valueAt(body, "spec", "source", "binary"), { asFile: "app.jar" });
});

test("ended builds above the history limit are deleted, oldest first", async () => {
  await world.createConfig("history", { failedBuildsHistoryLimit: 1, output: {} });
  for (const [at, phase] of ["Failed", "Succeeded", "Failed", "Failed"].entries()) {
    const name = `history-${at + 1}`;
    await world.instantiate("history");
    await world.setPodPhase(name, phase);
    await world.phase(name, phase === "Failed" ? phase : "Complete");
  }
  await eventually(async () => {
    const selection = { namespace, labelSelector: "buildconfig=history" };
    const { items } = await world.client.list(builds, selection);
    assert.deepEqual(items.map(({ metadata }) => metadata.name).toSorted(), ["history-2", "history-4"]);
  });
});

test("BuildConfigs get a run policy, history limits and the types of their strategy and source", async () => {
  await world.createConfig("typed", {
    strategy: { sourceStrategy: { from: { kind: "ImageStreamTag", name: "app:v1" } } },
    source: { git: { uri: "https://example.com/app.git" }, dockerfile: "FROM scratch" },
  });
  const { spec } = await world.client.get(buildConfigs, { namespace, name: "typed" });
  assert.equal(stringAt(spec, "runPolicy"), "Serial");
  assert.deepEqual(
    [valueAt(spec, "successfulBuildsHistoryLimit"), valueAt(spec, "failedBuildsHistoryLimit")],
    [5, 5],
  );
  assert.equal(stringAt(spec, "strategy", "type"), "Source");
  assert.equal(stringAt(spec, "source", "type"), "Git");
  await world.createConfig("empty", { source: undefined, strategy: { type: "Docker" } });
  const { spec: empty } = await world.client.get(buildConfigs, { namespace, name: "empty" });
  assert.deepEqual(
    [stringAt(empty, "source", "type"), stringAt(empty, "strategy", "type")],
    ["None", "Docker"],
  );
});

test("the trigger ConfigChange starts the first build, and a paused BuildConfig starts none", async () => {
  await world.createConfig("changed", { triggers: [{ type: "ConfigChange" }] });
  const build = await eventually(() => world.client.get(builds, { namespace, name: "changed-1" }));
  assert.deepEqual(valueAt(build, "spec", "triggeredBy"), [{ message: "Build configuration change" }]);
  const annotations = { "openshift.io/build-config.paused": "true" };
  const contentType = "application/merge-patch+json";
  await world.api.call("PATCH", `${world.base}/buildconfigs/changed`, {
    body: { metadata: { annotations } },
    contentType,
  });
  const paused = await world.instantiate("changed");
  assert.deepEqual([paused.status, listAt(paused.body, "items").length], [400, 0]);
  assert.match(stringAt(paused.body, "message") ?? "", /BuildConfig default\/changed: BuildConfig is paused/);
  assert.equal((await world.instantiate("none")).status, 404);
});
