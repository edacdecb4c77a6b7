import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { numberAt, stringAt, valueAt } from "@keelson/base";
import { BuildWorld } from "../testing/build-world.ts";
import { buildConfigs, builds } from "./build-refs.ts";

const namespace = "default";

let world: BuildWorld;
before(async () => {
  world = await BuildWorld.start();
});
after(() => world?.[Symbol.asyncDispose]());

async function patchConfig(name: string, patch: object): Promise<void> {
  await world.client.mergePatch(buildConfigs, { namespace, name }, { ...patch });
}

test("a clone has the spec of the build, not that of the changed BuildConfig", async () => {
  await world.createConfig("web", { output: {} });
  const request = { env: [{ name: "B", value: "2" }], metadata: { name: "web", labels: { mine: "yes" } } };
  await world.instantiate("web", request);
  await patchConfig("web", { spec: { strategy: { dockerStrategy: { env: null } } } });
  const env = [{ name: "A", value: "3" }];
  const dockerStrategyOptions = { buildArgs: [{ name: "C", value: "4" }] };
  const { status, body } = await world.clone("web-1", { env, dockerStrategyOptions });
  assert.equal(status, 201, stringAt(body, "message"));
  assert.equal(stringAt(body, "metadata", "name"), "web-2");
  assert.equal(stringAt(body, "metadata", "labels", "mine"), "yes");
  assert.equal(stringAt(body, "metadata", "annotations", "openshift.io/build.clone-of"), "web-1");
  assert.equal(stringAt(body, "metadata", "annotations", "openshift.io/build.number"), "2");
  assert.deepEqual(valueAt(body, "spec", "strategy", "dockerStrategy"), {
    env: [{ name: "B", value: "2" }, ...env],
    buildArgs: dockerStrategyOptions.buildArgs,
  });
  assert.equal(stringAt(body, "status", "config", "name"), "web");
  const config = await world.client.get(buildConfigs, { namespace, name: "web" });
  assert.equal(numberAt(config, "status", "lastVersion"), 2);
});

test("a build without a BuildConfig is cloned with a new suffix", async () => {
  await world.client.create(builds, {
    apiVersion: "build.openshift.io/v1",
    kind: "Build",
    metadata: { namespace, name: "alone" },
    spec: { source: { dockerfile: "FROM scratch" }, strategy: { dockerStrategy: {} } },
  });
  const { status, body } = await world.clone("alone");
  assert.equal(status, 201, stringAt(body, "message"));
  const name = stringAt(body, "metadata", "name") ?? "";
  assert.match(name, /^alone-\d{10}$/);
  assert.equal(valueAt(body, "metadata", "annotations", "openshift.io/build.number"), undefined);
  const again = await world.clone(name);
  assert.match(stringAt(again.body, "metadata", "name") ?? "", /^alone-\d{10}$/);
  await world.phase(name, "Pending");
});

test("a clone has no binary, and a build of a paused BuildConfig is not cloned", async () => {
  await world.createConfig("binary", { source: { binary: {} }, output: {} });
  const path = `${world.base}/buildconfigs/binary/instantiatebinary?asFile=app.jar`;
  const upload = { body: "a file", contentType: "application/octet-stream" };
  const dry = await world.api.call("POST", `${path}&dryRun=All`, upload);
  assert.equal(dry.status, 201, stringAt(dry.body, "message"));
  assert.equal(await world.client.find(builds, { namespace, name: "binary-1" }), undefined);
  const { body: original } = await world.api.call("POST", path, upload);
  assert.equal(stringAt(original, "metadata", "name"), "binary-1");
  assert.deepEqual(valueAt(original, "spec", "source"), { type: "Binary", binary: { asFile: "app.jar" } });
  const { body } = await world.clone("binary-1");
  assert.equal(stringAt(body, "metadata", "name"), "binary-2");
  assert.deepEqual(valueAt(body, "spec", "source"), { type: "None" });
  await patchConfig("binary", { metadata: { annotations: { "openshift.io/build-config.paused": "true" } } });
  const paused = await world.clone("binary-1");
  assert.equal(paused.status, 500);
  assert.match(stringAt(paused.body, "message") ?? "", /BuildConfig is paused/);
});

test("a request sets options of its strategy, and options of other strategies are refused", async () => {
  const buildArgs = [{ name: "A", value: "1" }];
  await world.createConfig("docker", { strategy: { dockerStrategy: { buildArgs } }, output: {} });
  const added = [{ name: "B", value: "2" }];
  const { body } = await world.instantiate("docker", {
    dockerStrategyOptions: { buildArgs: added, noCache: true },
  });
  assert.deepEqual(valueAt(body, "spec", "strategy", "dockerStrategy"), {
    buildArgs: [...buildArgs, ...added],
    noCache: true,
  });
  const refused = await world.instantiate("docker", { sourceStrategyOptions: { incremental: true } });
  assert.equal(refused.status, 400);
  assert.match(stringAt(refused.body, "message") ?? "", /default\/docker, not a Source build/);
  const from = { kind: "ImageStreamTag", name: "app:v1" };
  await world.createConfig("source", { strategy: { sourceStrategy: { from } }, output: {} });
  const source = await world.instantiate("source", { sourceStrategyOptions: { incremental: true } });
  assert.equal(valueAt(source.body, "spec", "strategy", "sourceStrategy", "incremental"), true);
  const noDocker = await world.clone("source-1", { dockerStrategyOptions: { buildArgs } });
  assert.equal(noDocker.status, 400);
  const config = await world.client.get(buildConfigs, { namespace, name: "source" });
  assert.equal(numberAt(config, "status", "lastVersion"), 1);
});
