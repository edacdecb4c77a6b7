import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeObject } from "./stored-object.ts";

test("the bytes of an object are in a separate buffer, so that they are freed with the object", () => {
  const metadata = { name: "ä", labels: { a: "b" } };
  const stored = encodeObject("ä", 7, { apiVersion: "v1", kind: "ConfigMap", metadata });
  assert.equal(stored.bytes.buffer.byteLength, stored.bytes.length);
  assert.deepEqual(JSON.parse(stored.bytes.toString()).metadata, { ...metadata, resourceVersion: "7" });
});
