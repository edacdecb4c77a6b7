import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isExpired, KubeError, type KubeObject, objectFields, resources } from "./index.ts";
import { connect, startCluster, startHandler } from "./testing/cluster.ts";

const { signal } = new AbortController();
const namespace = "default";
const fields = objectFields({ data: { kept: true } });

let cluster: Awaited<ReturnType<typeof startCluster>>;
before(async () => {
  cluster = await startCluster();
});
after(() => cluster[Symbol.asyncDispose]());

function configMap(name: string, kept: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { kept, other: "x" } };
}

const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const bookmark = (resourceVersion: string) =>
  event("BOOKMARK", { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion } });
const pod = (name: string, resourceVersion: string) => ({
  metadata: { name, namespace, resourceVersion },
  spec: { nodeName: "a\\nb" },
});

/** Returns a client of a server that sends these chunks for each watch. */
async function serve(chunks: readonly string[], ends = true) {
  const server = await startHandler((_, response) => {
    response.setHeader("content-type", "application/json");
    for (const chunk of chunks) response.write(chunk);
    if (ends) response.end();
  });
  const kube = connect(server.kubeconfig);
  return {
    read: () => kube.changes(resources.pods, { resourceVersion: "1", fields: objectFields({}) }, signal),
    async [Symbol.asyncDispose]() {
      await kube[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("changes of a list are its created, updated and deleted objects since a revision, without unselected fields", async () => {
  await using kube = connect(cluster.kubeconfig);
  for (const name of ["updated", "deleted", "same"])
    await kube.create(resources.configMaps, configMap(name, "1"), signal);
  const { resourceVersion } = await kube.list(resources.configMaps, { namespace, fields }, signal);
  await kube.mergePatch(
    resources.configMaps,
    { namespace, name: "updated" },
    { data: { kept: "2" } },
    signal,
  );
  await kube.delete(resources.configMaps, { namespace, name: "deleted" }, signal);
  await kube.create(resources.configMaps, configMap("created", "3"), signal);
  const selection = { namespace, fields, resourceVersion };
  const read = await kube.changes(resources.configMaps, selection, signal);
  assert.deepEqual(
    read.changes.map(({ type, object }) => [type, object.kind, object.metadata.name, object.data]),
    [
      ["changed", "ConfigMap", "updated", { kept: "2" }],
      ["deleted", "ConfigMap", "deleted", { kept: "1" }],
      ["changed", "ConfigMap", "created", { kept: "3" }],
    ],
  );
});

test("changes since a discarded revision are rejected as expired", async () => {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    code: 410,
    reason: "Expired",
    message: "old",
  };
  await using watched = await serve([event("ERROR", status)]);
  await assert.rejects(watched.read(), isExpired);
});

test("the client closes the watch after the bookmark, even if the server does not", async () => {
  await using watched = await serve([event("MODIFIED", pod("a", "7")), bookmark("9")], false);
  const { changes, resourceVersion } = await watched.read();
  assert.deepEqual([changes.map(({ object }) => object.metadata.name), resourceVersion], [["a"], "9"]);
});

test("changes without a bookmark are rejected, because further changes may be missing", async () => {
  await using watched = await serve([event("MODIFIED", pod("a", "7"))]);
  await assert.rejects(
    watched.read(),
    (error: unknown) => error instanceof KubeError && error.reason === "Timeout",
  );
});

test("a line that is not an event, or is incomplete, is rejected", async () => {
  for (const lines of ['{"type":"ADDED"}\n', '{"type":"UNKNOWN","object":{}}\n', '{"type":"MODI', "7\n"]) {
    await using watched = await serve([lines]);
    await assert.rejects(
      watched.read(),
      (error: unknown) => error instanceof KubeError && error.reason === "InvalidAnswer",
    );
  }
});
