import assert from "node:assert/strict";
import { test } from "node:test";
import { OutputLimit } from "./text-stream.ts";

const mebibyte = 1_048_576;
const lengths = (pieces: readonly (string | Uint8Array)[]) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : piece.length));

test("output is cut off at 1 MiB, once, with a word about it", () => {
  const limit = new OutputLimit("stdout");
  const notice = "\n[stdout truncated at 1 MiB]\n";
  assert.deepEqual(lengths(limit.admit(Buffer.alloc(mebibyte - 1))), [mebibyte - 1]);
  assert.deepEqual(lengths(limit.admit(Buffer.alloc(3))), [1, notice]);
  assert.deepEqual(lengths(limit.admit(Buffer.alloc(3))), []);
});

test("exactly 1 MiB is whole", () => {
  const limit = new OutputLimit("stderr");
  assert.deepEqual(lengths(limit.admit(Buffer.alloc(mebibyte))), [mebibyte]);
  assert.deepEqual(lengths(limit.admit(Buffer.alloc(1))), [0, "\n[stderr truncated at 1 MiB]\n"]);
});
