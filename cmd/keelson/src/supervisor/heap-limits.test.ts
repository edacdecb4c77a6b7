import assert from "node:assert/strict";
import { test } from "node:test";
import { heapLimitMiB, heapOptions, usableBytes } from "./heap-limits.ts";

const heaps = ["azure", "clusters", "service", "operators"] as const;

for (const gib of [2, 4, 24, 128])
  test(`the heap limits leave a quarter of ${gib} GiB`, () => {
    const sum = heaps.reduce((total, heap) => total + heapLimitMiB(heap, gib * 2 ** 30), 0);
    assert.ok(sum <= gib * 1_024 * 0.75, `${sum} MiB`);
    assert.ok(sum > gib * 1_024 * 0.7, `${sum} MiB`);
  });

test("a limit in NODE_OPTIONS is kept", () => {
  assert.deepEqual(heapOptions("service", { nodeOptions: "--max-old-space-size=512" }), []);
  const limit = heapLimitMiB("service", usableBytes());
  assert.deepEqual(heapOptions("service", { nodeOptions: "" }), [`--max-old-space-size=${limit}`]);
});

test("processes of the same kind share their memory", () => {
  const one = heapLimitMiB("clusters", 24 * 2 ** 30);
  const four = heapLimitMiB("clusters", 24 * 2 ** 30, 4);
  assert.ok(4 * four <= one && 4 * four > one - 4, `${four} MiB of ${one} MiB`);
});
