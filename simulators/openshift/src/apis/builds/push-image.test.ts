import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { imageStreams, images } from "../images/image-resources.ts";
import { BuildWorld } from "../testing/build-world.ts";

let world: BuildWorld;
before(async () => {
  world = await BuildWorld.start();
  await world.client.create(resources.namespaces, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "other" },
  });
  await world.createStream("app", "other");
});
after(() => world?.[Symbol.asyncDispose]());

const toOther = { output: { to: { kind: "ImageStreamTag", namespace: "other", name: "app:v1" } } };

test("a build cannot push into another namespace without permission", async () => {
  await world.run("stranger", toOther);
  await world.setPodPhase("stranger-1", "Succeeded");
  const failed = await world.phase("stranger-1", "Failed");
  assert.equal(stringAt(failed, "status", "reason"), "PushImageToRegistryFailed");
  const stream = await world.client.get(imageStreams, { namespace: "other", name: "app" });
  assert.equal(valueAt(stream, "status", "tags", 0), undefined);
  assert.deepEqual((await world.client.list(images)).items, []);
});

test("a build can push into a namespace that grants system:image-builder", async () => {
  await world.client.create(
    { group: "rbac.authorization.k8s.io", version: "v1", resource: "rolebindings" },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { namespace: "other", name: "friends" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:image-builder" },
      subjects: [{ kind: "ServiceAccount", namespace: "default", name: "builder" }],
    },
  );
  await world.run("friend", toOther);
  await world.setPodPhase("friend-1", "Succeeded");
  await world.phase("friend-1", "Complete");
});

test("a different account of the namespace cannot push", async () => {
  await eventually(() =>
    world.client.get(resources.serviceAccounts, { namespace: "default", name: "deployer" }),
  );
  await world.run("deployer", { serviceAccount: "deployer" });
  await world.setPodPhase("deployer-1", "Succeeded");
  const failed = await world.phase("deployer-1", "Failed");
  assert.equal(stringAt(failed, "status", "reason"), "PushImageToRegistryFailed");
});

test("a build whose stream was deleted fails", async () => {
  await world.createStream("gone");
  await world.run("gone", { output: { to: { kind: "ImageStreamTag", name: "gone:v1" } } });
  await world.podOf("gone-1");
  await world.client.delete(imageStreams, { namespace: "default", name: "gone" });
  await world.setPodPhase("gone-1", "Succeeded");
  const failed = await world.phase("gone-1", "Failed");
  assert.equal(stringAt(failed, "status", "message"), "Failed to push the image to the registry.");
});
