import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { archive } from "../testing/registry-store.ts";
import { fileInLayer } from "./layer-file.ts";

const signal = new AbortController().signal;
const options = { maxBytes: 1_000, what: "the layer", signal };
const find = (content: Buffer, path = "a/b") =>
  fileInLayer(Readable.from([content.subarray(0, 1), content.subarray(1)]), path, options);

test("a file is found in archives, compressed and plain", async () => {
  const layer = await archive({ other: "x".repeat(5_000), "./a/b": "hello" });
  assert.equal((await find(layer))?.toString(), "hello");
  assert.equal((await find(gzipSync(layer)))?.toString(), "hello");
  assert.equal((await find(zstdCompressSync(layer)))?.toString(), "hello");
  assert.equal(await find(layer, "absent"), undefined);
});

test("a file beyond the budget is refused", async () => {
  await assert.rejects(find(gzipSync(await archive({ "a/b": "x".repeat(1_001) }))), { code: "TooLarge" });
});

test("content that is no archive is rejected", async () => {
  await assert.rejects(find(Buffer.from("x".repeat(2_000))), { code: "PayloadUnusable" });
  await assert.rejects(find(gzipSync("x".repeat(2_000)).subarray(0, 20)), { code: "PayloadUnusable" });
  await assert.rejects(find(zstdCompressSync("x".repeat(2_000)).subarray(0, 12)), {
    code: "PayloadUnusable",
  });
});

test("a source that breaks is the failure", async () => {
  async function* broken() {
    yield Buffer.alloc(512);
    throw new Error("cut");
  }
  await assert.rejects(fileInLayer(Readable.from(broken()), "a", options), /cut/);
});
