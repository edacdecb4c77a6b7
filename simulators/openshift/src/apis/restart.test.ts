import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../base/resources.ts";
import { TestWorld } from "../testing/installed-world.ts";
import { imageStreams } from "./images/image-resources.ts";

const clusterRoles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" };

test("OpenShift's kinds and default roles are there, with all objects, as soon as a simulation runs again", async () => {
  const directory = await mkdtemp(join(tmpdir(), "apis-"));
  try {
    await using world = await TestWorld.start({
      storage: { kind: "file", path: join(directory, "clusters.db") },
      workers: 1,
    });
    await world.install();
    await eventually(() => assert.ok(world.client));
    await eventually(() => world.client.list(imageStreams));
    await world.client.create(imageStreams, {
      apiVersion: "image.openshift.io/v1",
      kind: "ImageStream",
      metadata: { namespace: "openshift", name: "ruby" },
      spec: { tags: [{ name: "1", from: { kind: "DockerImage", name: "quay.io/team/ruby:1" } }] },
    });
    // Changes the roles to the state in which an earlier release stored them.
    const basicUser = { name: "basic-user" };
    const role = await eventually(() => world.client.get(clusterRoles, basicUser));
    const { annotations: _, ...metadata } = role.metadata;
    await world.client.update(clusterRoles, { ...role, metadata, rules: [] });
    await world.client.delete(clusterRoles, { name: "self-provisioner" });
    await world.sleep();
    await world.wake();
    await eventually(async () => {
      assert.deepEqual((await world.client.get(clusterRoles, basicUser)).rules, role.rules);
      await world.client.get(clusterRoles, { name: "self-provisioner" });
    });
    const { items } = await world.client.list(imageStreams);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ["ruby"],
    );
    await world.client.list(resources.routes);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
