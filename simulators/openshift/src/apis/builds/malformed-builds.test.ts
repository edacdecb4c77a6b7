import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { BuildWorld } from "../testing/build-world.ts";
import { buildConfigs, builds } from "./build-refs.ts";

const namespace = "default";

let world: BuildWorld;
before(async () => {
  world = await BuildWorld.start();
});
after(() => world?.[Symbol.asyncDispose]());

async function createBuild(name: string, spec: object, metadata: object = {}, status = {}): Promise<void> {
  const build = { apiVersion: "build.openshift.io/v1", kind: "Build" };
  await world.client.create(builds, { ...build, metadata: { namespace, name, ...metadata }, spec, status });
}

test("a build with the name of an object's property as its type runs as a custom build", async () => {
  await createBuild("typed", { strategy: { type: "constructor" } });
  await world.phase("typed", "Pending");
  const pod = await world.podOf("typed");
  assert.deepEqual(
    listAt(pod, "spec", "containers").map((each) => stringAt(each, "name")),
    ["custom-build"],
  );
});

test("a build with the longest name runs in a pod with a shorter name", async () => {
  const name = "a".repeat(250);
  await createBuild(name, { strategy: { dockerStrategy: {} } });
  await world.phase(name, "Pending");
});

test("builds of a BuildConfig with the longest name have shorter names", async () => {
  const name = "b".repeat(253);
  await world.createConfig(name, { output: {} });
  const { status, body } = await world.instantiate(name);
  assert.equal(status, 201, stringAt(body, "message"));
  assert.match(stringAt(body, "metadata", "name") ?? "", /^b{242}-[0-9a-f]{8}-1$/);
});

test("a build request with a label that is not a string fails with 400 and does not increment the version", async () => {
  await world.createConfig("labelled");
  for (const field of ["labels", "annotations"]) {
    const metadata = { name: "labelled", [field]: { a: { toString: 1 } } };
    const { status, body } = await world.instantiate("labelled", { metadata });
    assert.equal(status, 400);
    assert.match(stringAt(body, "message") ?? "", /a is not a string/);
  }
  const config = await world.client.get(buildConfigs, { namespace, name: "labelled" });
  assert.equal(valueAt(config, "status", "lastVersion"), undefined);
});

test("old builds are deleted although the first build of the BuildConfig is refused", async () => {
  const annotations = { "openshift.io/build-config.paused": "true" };
  await world.client.create(buildConfigs, {
    apiVersion: "build.openshift.io/v1",
    kind: "BuildConfig",
    metadata: { namespace, name: "paused", annotations },
    spec: {
      triggers: [{ type: "ConfigChange" }],
      strategy: { dockerStrategy: {} },
      successfulBuildsHistoryLimit: 1,
    },
  });
  for (const number of ["1", "2", "3"]) {
    const own = { "openshift.io/build-config.name": "paused", "openshift.io/build.number": number };
    const metadata = { annotations: own, labels: { test: "paused" } };
    await createBuild(`paused-${number}`, { strategy: { dockerStrategy: {} } }, metadata, {
      phase: "Complete",
    });
  }
  await eventually(async () => {
    const { items } = await world.client.list(builds, { namespace, labelSelector: "test=paused" });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ["paused-3"],
    );
  });
});
