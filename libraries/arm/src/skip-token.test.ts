import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { nextLink, SkipTokenSealer } from "./skip-token.ts";

const sealer = new SkipTokenSealer(randomBytes(32));

test("a token opens to what was sealed, in its own context only", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), fc.string(), (text, context, other) => {
      const token = sealer.seal(text, context);
      assert.equal(sealer.open(token, context), text);
      if (other !== context) assert.equal(sealer.open(token, other), undefined);
    }),
  );
});

test("no changed byte, foreign key or garbage opens", () => {
  const token = sealer.seal("position 10", "list");
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(token, "base64url");
      const index = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(index) ^ change, index);
      assert.equal(sealer.open(bytes.toString("base64url"), "list"), undefined);
    }),
  );
  assert.equal(new SkipTokenSealer(randomBytes(32)).open(token, "list"), undefined);
  for (const garbage of ["", "x", "%%%", "a".repeat(10_000)])
    assert.equal(sealer.open(garbage, "list"), undefined);
});

test("after a rotation tokens of the earlier key open until that key is removed", () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const rotated = new SkipTokenSealer(old);
  const token = rotated.seal("position 10", "list");
  assert.equal(rotated.seal("position 10", "list"), token);
  rotated.useKeys([next, old]);
  assert.notEqual(rotated.seal("position 10", "list"), token);
  assert.equal(rotated.open(token, "list"), "position 10");
  assert.equal(new SkipTokenSealer(next).open(rotated.seal("position 20", "list"), "list"), "position 20");
  rotated.useKeys([next]);
  assert.equal(rotated.open(token, "list"), undefined);
});

test("each of thousands of positions has its own token", () => {
  const positions = Array.from({ length: 3_000 }, (_, at) => `position ${at}`);
  const tokens = positions.map((each) => sealer.seal(each, "list"));
  assert.deepEqual(
    tokens.map((each) => sealer.open(each, "list")),
    positions,
  );
});

test("the next link keeps host and query and encodes the dollar sign", () => {
  const link = nextLink(
    "https://arm.example/subscriptions/s/x?api-version=2025-07-25&%24skipToken=old",
    "new",
  );
  assert.equal(link, "https://arm.example/subscriptions/s/x?api-version=2025-07-25&%24skipToken=new");
});
