import assert from "node:assert/strict";
import { test } from "node:test";
import type { BlobContainer } from "@keelson/azure";
import { isCoded, Secret } from "@keelson/base";
import { preparedCluster } from "@keelson/model/testing";
import { offlineContext } from "../testing/offline-context.ts";
import { graphKey, graphText, sealedGraph } from "../testing/sealed-graph.ts";
import { storedGraph } from "./stored-graph.ts";

const signal = AbortSignal.timeout(900_000);

/** Returns the context of a cluster with a storage container that contains `blob` as the blob `graph`. */
function contextWith(blob: Buffer | undefined) {
  const container = {
    find: async (name: string) => (name === "graph" ? blob : assert.fail(name)),
    // The graph reader calls no other method of the container.
  } as unknown as BlobContainer;
  const cluster = preparedCluster(new Secret("key"));
  return offlineContext({ cluster, signal, graphContainer: async () => container });
}

test("what Hive's installer has stored is read from the cluster's own account", async () => {
  assert.equal(await storedGraph(graphKey)(contextWith(sealedGraph)), graphText);
});

test("as long as nothing is stored, there is no graph", async () => {
  assert.equal(await storedGraph(graphKey)(contextWith(undefined)), undefined);
});

test("without a storage account there is no graph", async () => {
  const context = offlineContext({ cluster: preparedCluster(new Secret("key")), signal });
  assert.equal(await storedGraph(graphKey)(context), undefined);
});

test("a graph encrypted with a different key is rejected", async () => {
  const another = new Secret(Buffer.alloc(64).toString("base64"));
  await assert.rejects(storedGraph(another)(contextWith(sealedGraph)), (error) =>
    isCoded(error, "InvalidAssetGraph"),
  );
});
