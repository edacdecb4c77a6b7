import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { rehearsePglite } from "./rehearse.ts";

test("a rehearsal of the embedded database executes its statements and leaves no files", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-rehearse-test-"));
  await rehearsePglite(join(directory.path, "rehearsal"));
  assert.deepEqual(readdirSync(directory.path), []);
});

test("a rehearsal replaces the incomplete database of a killed rehearsal", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-rehearse-test-"));
  const rehearsal = join(directory.path, "rehearsal");
  mkdirSync(join(rehearsal, "database"), { recursive: true });
  writeFileSync(join(rehearsal, "database", "PG_VERSION"), "incomplete");
  await rehearsePglite(rehearsal);
  assert.deepEqual(readdirSync(directory.path), []);
});
