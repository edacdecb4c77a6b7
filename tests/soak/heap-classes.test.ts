import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writeHeapSnapshot } from "node:v8";
import { classGrowth, heapClasses } from "./heap-classes.ts";

class LeakedConnection {
  readonly buffer = new Uint8Array(8);
}

test("objects that are created between two snapshots appear by their class", () => {
  const directory = mkdtempSync(join(tmpdir(), "heap-classes-"));
  try {
    const snapshot = (name: string) => heapClasses(writeHeapSnapshot(join(directory, name)));
    const before = snapshot("before.heapsnapshot");
    const leaked = Array.from({ length: 1_000 }, () => new LeakedConnection());
    const after = snapshot("after.heapsnapshot");
    const growth = classGrowth(before, after).find(({ name }) => name === "object LeakedConnection");
    assert.equal(growth?.count, leaked.length);
    assert.ok(growth.bytes >= leaked.length * 16, `${growth.bytes}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
