import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { acceptsGzip, gzipped } from "./gzip.ts";

for (const [header, accepted] of [
  [undefined, false],
  ["", false],
  ["gzip", true],
  ["br, GZIP ;q=0.5", true],
  ["deflate,gzip;q=1", true],
  ["gzip;q=0", false],
  ["gzip; q=0.000", false],
  ["gzip;q=0.01", true],
  ["x-gzip, br", false],
] as const) {
  test(`gzip is ${accepted ? "" : "not "}taken by accept-encoding ${JSON.stringify(header)}`, () => {
    assert.equal(acceptsGzip(header), accepted);
  });
}

test("large bodies are gzipped for those who take it, small ones for no one", async () => {
  const large = Buffer.from("name of a cluster\n".repeat(1_000));
  const zipped = await gzipped(large, "gzip");
  assert.ok(zipped && zipped.length < large.length / 10);
  assert.deepEqual(gunzipSync(zipped), large);
  assert.equal(await gzipped(large, "br"), undefined);
  assert.equal(await gzipped(Buffer.from("small"), "gzip"), undefined);
});
