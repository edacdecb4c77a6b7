import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { imageStreams } from "../images/image-resources.ts";
import { ApiWorld } from "../testing/api-world.ts";
import { buildControllers } from "./build-controllers.ts";
import { buildConfigs, builds } from "./build-refs.ts";

const namespace = "default";
const base = `/apis/build.openshift.io/v1/namespaces/${namespace}`;

let world: ApiWorld;
before(async () => {
  world = await ApiWorld.start(buildControllers);
  await world.client.create(imageStreams, {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStream",
    metadata: { namespace, name: "app" },
  });
});
after(() => world?.[Symbol.asyncDispose]());

async function createConfig(name: string, spec: object = {}): Promise<void> {
  await world.client.create(buildConfigs, {
    apiVersion: "build.openshift.io/v1",
    kind: "BuildConfig",
    metadata: { namespace, name, labels: { app: name } },
    spec: {
      source: { type: "Git", git: { uri: "https://example.com/app.git" } },
      strategy: { type: "Docker", dockerStrategy: { env: [{ name: "A", value: "1" }] } },
      output: { to: { kind: "ImageStreamTag", name: "app:v1" } },
      ...spec,
    },
  });
}

/** Sets the phase of a build pod, which no kubelet runs in this test. */
async function setPodPhase(name: string, phase: string): Promise<void> {
  const pod = await podOf(name);
  await world.client.updateStatus(resources.pods, { ...pod, status: { ...objectAt(pod, "status"), phase } });
}
const podOf = (name: string): Promise<KubeObject> =>
  eventually(() => world.client.get(resources.pods, { namespace, name: `${name}-build` }));
const phase = (name: string, expected: string): Promise<KubeObject> =>
  eventually(async () => {
    const build = await world.client.get(builds, { namespace, name });
    assert.equal(stringAt(build, "status", "phase"), expected, JSON.stringify(build.status));
    return build;
  });
const instantiate = (name: string, request: object = {}) =>
  world.call("POST", `${base}/buildconfigs/${name}/instantiate`, {
    body: { apiVersion: "build.openshift.io/v1", kind: "BuildRequest", metadata: { name }, ...request },
  });

test("a build runs in a pod and tags its image", async () => {
  await createConfig("web");
  const env = [{ name: "B", value: "2" }];
  const { status, body } = await instantiate("web", { env });
  assert.equal(status, 201, stringAt(body, "message"));
  assert.equal(stringAt(body, "metadata", "name"), "web-1");
  assert.equal(stringAt(body, "metadata", "labels", "openshift.io/build-config.name"), "web");
  assert.equal(stringAt(body, "metadata", "labels", "app"), "web");
  assert.deepEqual(valueAt(body, "spec", "strategy", "dockerStrategy", "env"), [
    { name: "A", value: "1" },
    ...env,
  ]);
  assert.deepEqual(valueAt(body, "spec", "triggeredBy"), [{ message: "Manually triggered" }]);
  const pod = await podOf("web-1");
  assert.equal(stringAt(pod, "spec", "serviceAccountName"), "builder");
  assert.equal(stringAt(pod, "spec", "containers", 0, "name"), "docker-build");
  const pending = await phase("web-1", "Pending");
  assert.match(stringAt(pending, "status", "outputDockerImageReference") ?? "", /:5000\/default\/app:v1$/);
  await setPodPhase("web-1", "Running");
  assert.ok(stringAt(await phase("web-1", "Running"), "status", "startTimestamp"));
  await setPodPhase("web-1", "Succeeded");
  const complete = await phase("web-1", "Complete");
  const digest = stringAt(complete, "status", "output", "to", "imageDigest");
  const tag = await world.call(
    "GET",
    `/apis/image.openshift.io/v1/namespaces/${namespace}/imagestreamtags/app:v1`,
  );
  assert.equal(stringAt(tag.body, "image", "metadata", "name"), digest);
  const config = await world.client.get(buildConfigs, { namespace, name: "web" });
  assert.equal(valueAt(config, "status", "lastVersion"), 1);
});

test("a serial build waits for its predecessor, and oc cancel-build ends one", async () => {
  await createConfig("serial");
  await instantiate("serial");
  await instantiate("serial");
  await podOf("serial-1");
  await phase("serial-2", "New");
  assert.equal(await world.client.find(resources.pods, { namespace, name: "serial-2-build" }), undefined);
  const { body } = await world.call("GET", `${base}/builds/serial-1`);
  const cancelled = { ...objectAt(body), status: { ...objectAt(body, "status"), cancelled: true } };
  assert.equal((await world.call("PUT", `${base}/builds/serial-1`, { body: cancelled })).status, 200);
  assert.equal(stringAt(await phase("serial-1", "Cancelled"), "status", "reason"), "CancelledBuild");
  await podOf("serial-2");
  assert.equal(await world.client.find(resources.pods, { namespace, name: "serial-1-build" }), undefined);
  const log = await world.call("GET", `${base}/builds/serial-1/log`);
  assert.equal(log.status, 400);
  assert.match(stringAt(log.body, "message") ?? "", /serial-1 was cancelled/);
  await setPodPhase("serial-2", "Failed");
  assert.equal(stringAt(await phase("serial-2", "Failed"), "status", "reason"), "GenericBuildFailed");
});

test("a build with a missing image stream waits with a reason, and a deleted pod is an error", async () => {
  await createConfig("late", { output: { to: { kind: "ImageStreamTag", name: "late:latest" } } });
  await instantiate("late");
  await eventually(async () => {
    const build = await world.client.get(builds, { namespace, name: "late-1" });
    assert.equal(stringAt(build, "status", "reason"), "InvalidOutputReference");
  });
  await world.client.create(imageStreams, {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStream",
    metadata: { namespace, name: "late" },
  });
  await phase("late-1", "Pending");
  await world.client.delete(resources.pods, { namespace, name: "late-1-build" });
  assert.equal(stringAt(await phase("late-1", "Error"), "status", "reason"), "BuildPodDeleted");
});

test("instantiatebinary accepts a file of any type, and clone repeats the build", async () => {
  await createConfig("binary", { source: { type: "Binary", binary: {} }, output: {} });
  const path = `${base}/buildconfigs/binary/instantiatebinary?asFile=app.jar`;
  const { status, body } = await world.call("POST", path, {
    body: "not an object",
    contentType: "application/octet-stream",
  });
  assert.equal(status, 201, stringAt(body, "message"));
  assert.deepEqual(valueAt(body, "spec", "source", "binary"), { asFile: "app.jar" });
  const request = {
    apiVersion: "build.openshift.io/v1",
    kind: "BuildRequest",
    metadata: { name: "binary-1" },
  };
  const cloned = await world.call("POST", `${base}/builds/binary-1/clone`, { body: request });
  assert.equal(stringAt(cloned.body, "metadata", "name"), "binary-2");
  assert.deepEqual(valueAt(cloned.body, "spec", "source", "binary"), { asFile: "app.jar" });
});

test("BuildConfigs get a run policy and the types of their strategy and source", async () => {
  await createConfig("typed", {
    strategy: { sourceStrategy: { from: { kind: "ImageStreamTag", name: "app:v1" } } },
    source: { git: { uri: "https://example.com/app.git" }, dockerfile: "FROM scratch" },
  });
  const { spec } = await world.client.get(buildConfigs, { namespace, name: "typed" });
  assert.equal(stringAt(spec, "runPolicy"), "Serial");
  assert.equal(stringAt(spec, "strategy", "type"), "Source");
  assert.equal(stringAt(spec, "source", "type"), "Git");
  await createConfig("empty", { source: undefined, strategy: { type: "Docker" } });
  const { spec: empty } = await world.client.get(buildConfigs, { namespace, name: "empty" });
  assert.deepEqual(
    [stringAt(empty, "source", "type"), stringAt(empty, "strategy", "type")],
    ["None", "Docker"],
  );
});

test("the trigger ConfigChange starts the first build, and a paused BuildConfig starts none", async () => {
  await createConfig("changed", { triggers: [{ type: "ConfigChange" }] });
  const build = await eventually(() => world.client.get(builds, { namespace, name: "changed-1" }));
  assert.deepEqual(valueAt(build, "spec", "triggeredBy"), [{ message: "Build configuration change" }]);
  const annotations = { "openshift.io/build-config.paused": "true" };
  const contentType = "application/merge-patch+json";
  await world.call("PATCH", `${base}/buildconfigs/changed`, {
    body: { metadata: { annotations } },
    contentType,
  });
  const paused = await instantiate("changed");
  assert.deepEqual([paused.status, listAt(paused.body, "items").length], [400, 0]);
  assert.match(stringAt(paused.body, "message") ?? "", /BuildConfig default\/changed: BuildConfig is paused/);
  assert.equal((await instantiate("none")).status, 404);
});
