import assert from "node:assert/strict";
import { test } from "node:test";
import { TestServer } from "../testing/test-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };

test("a list with a limit contains the first objects", async () => {
  await using server = await TestServer.start();
  const { client } = server.cluster;
  for (const name of ["c", "a", "b"])
    await client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default" },
    });
  const names = async (limit?: number) => {
    const options = { namespace: "default", ...(limit === undefined ? {} : { limit }) };
    const { items } = await client.list(configMaps, options);
    return items.flatMap(({ metadata: { name } }) => (name.length === 1 ? [name] : []));
  };
  assert.deepEqual(await names(2), ["a", "b"]);
  assert.deepEqual(await names(), ["a", "b", "c"]);
});

test("other work of the event loop runs while a list parses many bytes", async () => {
  await using server = await TestServer.start();
  const { client } = server.cluster;
  for (const name of ["a", "b", "c", "d"])
    await client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default" },
      data: { text: "x".repeat(900_000) },
    });
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  await client.list(configMaps, { namespace: "default" });
  assert.ok(hasRun);
});
