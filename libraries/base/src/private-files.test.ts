import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { removeForeignRights } from "./private-files.ts";

test("the rights of other users go from everything in a directory, and not behind a symbolic link", () => {
  const root = mkdtempSync(join(tmpdir(), "private-"));
  try {
    const mode = (path: string) => statSync(join(root, path)).mode & 0o777;
    mkdirSync(join(root, "tree/inner"), { recursive: true });
    for (const file of ["outside", "tree/file", "tree/inner/program"]) writeFileSync(join(root, file), "");
    for (const [path, bits] of [
      ["outside", 0o666],
      ["tree", 0o755],
      ["tree/inner", 0o777],
      ["tree/file", 0o666],
      ["tree/inner/program", 0o755],
    ] as const)
      chmodSync(join(root, path), bits);
    symlinkSync(join(root, "outside"), join(root, "tree/link"));
    removeForeignRights(join(root, "tree"));
    assert.deepEqual(
      ["tree", "tree/inner", "tree/file", "tree/inner/program", "outside"].map(mode),
      [0o700, 0o700, 0o600, 0o700, 0o666],
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});
