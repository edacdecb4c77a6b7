import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded, Secret } from "@keelson/base";
import { graphKey, graphText, sealedGraph } from "../testing/sealed-graph.ts";
import { openGraph } from "./sealed-graph.ts";

test("a graph is opened with its key", () => {
  assert.equal(openGraph(sealedGraph, graphKey), graphText);
});

for (const [name, change] of [
  ["a byte is changed", (bytes: Buffer) => bytes.with(20, (bytes[20] ?? 0) ^ 1)],
  ["it is cut off", (bytes: Buffer) => bytes.subarray(0, 40)],
  ["there is nothing of it", () => Buffer.alloc(0)],
] as const) {
  test(`a graph is refused when ${name}`, () => {
    assert.throws(
      () => openGraph(Buffer.from(change(sealedGraph)), graphKey),
      (error) => isCoded(error, "InvalidAssetGraph"),
    );
  });
}

test("a graph is rejected with a wrong or invalid key", () => {
  for (const other of [Buffer.alloc(64).toString("base64"), "short"])
    assert.throws(() => openGraph(sealedGraph, new Secret(other)), /installer\.graphKeyFile/);
});
