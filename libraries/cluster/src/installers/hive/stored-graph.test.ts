import assert from "node:assert/strict";
import { test } from "node:test";
import type { AzureClients, BlobContainer } from "@keelson/azure";
import { isCoded, Secret } from "@keelson/base";
import { offlineContext, preparedCluster } from "../testing/offline-context.ts";
import { graphKey, graphText, sealedGraph } from "../testing/sealed-graph.ts";
import { storedGraph } from "./stored-graph.ts";

const signal = AbortSignal.timeout(60_000);

/** The cluster's storage account, with what its container `aro` has under `graph`. */
function contextWith(blob: Buffer | undefined) {
  const container: Partial<BlobContainer> = {
    find: async (name) => (name === "graph" ? blob : assert.fail(name)),
  };
  const storageAccounts = {
    getProperties: async (_group: string, account: string) => ({
      primaryEndpoints: { blob: `https://${account}.blob.example/` },
    }),
    listAccountSAS: async () => ({ accountSasToken: "sig=x" }),
  };
  const azure = {
    storage: { storageAccounts },
    call: () => ({}),
    blobContainer(url: string) {
      assert.equal(url, "https://clusterabcdefghij.blob.example/aro");
      return container;
    },
    // The graph's reader asks for nothing else.
  } as unknown as AzureClients;
  return offlineContext({ cluster: preparedCluster(new Secret("key")), signal, change: { azure } });
}

test("what Hive's installer has stored is read from the cluster's own account", async () => {
  assert.equal(await storedGraph(graphKey)(contextWith(sealedGraph)), graphText);
});

test("as long as nothing is stored, there is no graph", async () => {
  assert.equal(await storedGraph(graphKey)(contextWith(undefined)), undefined);
});

test("what is sealed with another key is refused", async () => {
  const another = new Secret(Buffer.alloc(64).toString("base64"));
  await assert.rejects(storedGraph(another)(contextWith(sealedGraph)), (error) =>
    isCoded(error, "InvalidAssetGraph"),
  );
});
