import assert from "node:assert/strict";
import { mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { rehearsePglite } from "./rehearse.ts";

test("a rehearsal of the embedded database executes its statements and leaves no files", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-rehearse-test-"));
  await rehearsePglite(directory.path);
  assert.deepEqual(readdirSync(directory.path), []);
});
