import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../../apis/testing/api-world.ts";
import { resources } from "../../base/resources.ts";
import { storageVersionMigrator } from "./controller.ts";

const { storageVersionMigrations } = resources;

describe("the storage version migrator", { timeout: 900_000 }, () => {
  test("reports each migration's result once and preserves other conditions", async () => {
    await using world = await ApiWorld.start([storageVersionMigrator]);
    const { client } = world;
    const create = (name: string, resource: string) =>
      client.create(storageVersionMigrations, {
        apiVersion: "migration.k8s.io/v1alpha1",
        kind: "StorageVersionMigration",
        metadata: { name },
        spec: { resource: { group: "", version: "v1", resource } },
      });
    await create("secrets", "secrets");
    await create("unknown", "gadgets");
    const ended = (name: string, type: string, message: RegExp) =>
      eventually(async () => {
        const migration = await client.get(storageVersionMigrations, { name });
        const conditions = listAt(migration, "status", "conditions");
        assert.deepEqual(
          conditions.map((each) => [stringAt(each, "type"), stringAt(each, "status")]),
          [[type, "True"]],
        );
        assert.match(stringAt(conditions[0], "lastUpdateTime") ?? "", /^\d{4}-.*Z$/);
        assert.match(stringAt(conditions[0], "message") ?? "", message);
        return migration;
      });
    await ended("secrets", "Succeeded", /^$/);
    const failed = await ended("unknown", "Failed", /could not find the requested resource/);
    const other = { type: "Other", status: "True", lastUpdateTime: "2026-01-01T00:00:00Z" };
    await client.updateStatus(storageVersionMigrations, { ...failed, status: { conditions: [other] } });
    await eventually(async () => {
      const migration = await client.get(storageVersionMigrations, { name: "unknown" });
      const types = listAt(migration, "status", "conditions").map((each) => stringAt(each, "type"));
      assert.deepEqual(types, ["Other", "Failed"]);
    });
  });
});
