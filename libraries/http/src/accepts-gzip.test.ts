import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptsGzip } from "./accepts-gzip.ts";

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
