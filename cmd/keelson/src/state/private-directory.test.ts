import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, test } from "node:test";
import { ensurePrivateDirectory, isOpenToOthers } from "./private-directory.ts";

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "private-directory-"));
  directory = join(root, "state");
});
afterEach(() => rmSync(root, { recursive: true }));

test("a new state directory is private", () => {
  ensurePrivateDirectory(directory);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
});

test("an existing open state directory and its files become private", () => {
  mkdirSync(directory, { mode: 0o755 });
  chmodSync(directory, 0o755);
  writeFileSync(join(directory, "secrets.json"), "{}", { mode: 0o644 });
  assert.equal(isOpenToOthers(lstatSync(directory)), true);
  ensurePrivateDirectory(directory);
  assert.deepEqual(
    [directory, join(directory, "secrets.json")].map((path) => statSync(path).mode & 0o777),
    [0o700, 0o600],
  );
  assert.equal(isOpenToOthers(lstatSync(directory)), false);
});

test("a symbolic link is refused", () => {
  mkdirSync(join(root, "target"));
  symlinkSync(join(root, "target"), directory);
  assert.throws(() => ensurePrivateDirectory(directory), {
    code: "StateUnusable",
    message: /is a symbolic link\. Choose a directory of your own with --state DIR/,
  });
});

test("a directory of a different user is refused", {
  skip: process.getuid?.() !== 0 && "only root can give a directory away",
}, () => {
  mkdirSync(directory);
  chownSync(directory, 12_345, 12_345);
  assert.throws(() => ensurePrivateDirectory(directory), {
    code: "StateUnusable",
    message: /belongs to user 12345, not to 0/,
  });
});
