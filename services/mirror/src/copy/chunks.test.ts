import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { chunksOf } from "./chunks.ts";
import { ResumableHash } from "./resumable-hash.ts";

async function* each(parts: readonly Uint8Array[]) {
  for (const part of parts) yield Buffer.from(part);
}

const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });

test("chunks have the requested size, and contain the input without the skipped bytes", async () => {
  const property = fc.asyncProperty(
    parts,
    fc.integer({ min: 1, max: 33 }),
    fc.nat(60),
    async (input, bytes, skip) => {
      const chunks: Buffer[] = [];
      for await (const chunk of chunksOf(each(input), bytes, skip)) chunks.push(Buffer.from(chunk));
      assert.deepEqual(Buffer.concat(chunks), Buffer.concat(input).subarray(skip));
      assert.ok(chunks.slice(0, -1).every(({ length }) => length === bytes));
      assert.ok((chunks.at(-1)?.length ?? 1) > 0);
    },
  );
  await fc.assert(property);
});

test("a digest that is saved and taken up at any point is that of the whole", async () => {
  const algorithms = fc.constantFrom("sha256", "sha512");
  const property = fc.asyncProperty(
    fc.uint8Array({ maxLength: 400 }),
    fc.nat(400),
    algorithms,
    async (content, at, algorithm) => {
      const first = await ResumableHash.start(`${algorithm}:`);
      first.update(content.subarray(0, at));
      const second = await ResumableHash.resume(`${algorithm}:`, first.save());
      assert.ok(second);
      second.update(content.subarray(at));
      assert.equal(second.digest(), `${algorithm}:${createHash(algorithm).update(content).digest("hex")}`);
    },
  );
  await fc.assert(property);
  assert.equal(await ResumableHash.resume("sha256:", "bm90IGEgc3RhdGU="), undefined);
});
