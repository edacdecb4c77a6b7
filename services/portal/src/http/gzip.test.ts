import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { gzipped } from "./gzip.ts";

test("only large bodies are compressed, for clients that accept gzip", async () => {
  const large = Buffer.from("name of a cluster\n".repeat(1_000));
  const zipped = await gzipped(large, "gzip");
  assert.ok(zipped && zipped.length < large.length / 10);
  assert.deepEqual(gunzipSync(zipped), large);
  assert.equal(await gzipped(large, "br"), undefined);
  assert.equal(await gzipped(Buffer.from("small"), "gzip"), undefined);
});
