import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeDataUrl, encodeDataUrl } from "./data-url.ts";

const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each));

test("bytes survive the base64 form", () => {
  fc.assert(fc.property(bytes, (each) => assert.deepEqual(decodeDataUrl(encodeDataUrl(each)), each)));
});

test("bytes survive the percent-encoded form", () => {
  const encode = (each: Buffer) => `data:,${each.toString("hex").replace(/../g, "%$&")}`;
  fc.assert(fc.property(bytes, (each) => assert.deepEqual(decodeDataUrl(encode(each)), each)));
});

test("any string is decoded or rejected without an exception", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      decodeDataUrl(text);
      decodeDataUrl(`data:${text}`);
      decodeDataUrl(`data:;base64,${text}`);
    }),
  );
});

for (const [url, text] of [
  ["data:,", ""],
  ["data:,a%20b", "a b"],
  ["data:text/plain;charset=utf-8;base64,YQo=", "a\n"],
  ["DATA:;BASE64,YQo", "a\n"],
  ["data:,a%2", undefined],
  ["data:;base64,a*", undefined],
  ["https://example.com/a", undefined],
] as const)
  test(`${url} is ${JSON.stringify(text)}`, () => assert.equal(decodeDataUrl(url)?.toString(), text));
