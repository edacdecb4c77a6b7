import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { changedFiles } from "./changed-files.ts";

test("commits of the branch, uncommitted changes and new files count; what main did since does not", () => {
  const root = mkdtempSync(join(tmpdir(), "changed-files-"));
  try {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
        cwd: root,
        stdio: "pipe",
      });
    const write = (file: string, text: string) => writeFileSync(join(root, file), text);
    const commit = (file: string) => {
      write(file, `${Math.random()}`);
      git("add", "-A");
      git("commit", "-qm", file);
    };
    git("init", "-qb", "main");
    write(".gitignore", "ignored");
    commit("first");
    assert.deepEqual(changedFiles(root, "main"), []);
    commit("second");
    assert.deepEqual(changedFiles(root, "main"), ["second"], "on main: its last commit");
    git("checkout", "-qb", "branch");
    commit("mine");
    git("checkout", "-q", "main");
    commit("theirs");
    git("checkout", "-q", "branch");
    write("first", "changed");
    write("new", "");
    write("ignored", "");
    assert.deepEqual(changedFiles(root, "main"), ["first", "mine", "new"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
