import assert from "node:assert/strict";
import { test } from "node:test";
import { TemporaryRepository } from "../testing/temporary-repository.ts";
import { changedFiles, forkPoint } from "./changed-files.ts";

test("changed files are those of the branch's commits, uncommitted and untracked ones, not those of later commits on main", () => {
  using repository = new TemporaryRepository();
  const { root } = repository;
  const commit = (file: string) => {
    repository.write(file, `${Math.random()}`);
    repository.commit(file);
  };
  repository.write(".gitignore", "ignored");
  commit("first");
  assert.deepEqual(changedFiles(root, "main"), []);
  commit("second");
  assert.deepEqual(changedFiles(root, "main"), ["second"], "on main: its last commit");
  repository.git("checkout", "--quiet", "-b", "branch");
  commit("mine");
  repository.git("checkout", "--quiet", "main");
  commit("theirs");
  repository.git("checkout", "--quiet", "branch");
  repository.write("first", "changed");
  repository.write("néw file", "");
  repository.write("ignored", "");
  assert.deepEqual(changedFiles(root, "main"), ["first", "mine", "néw file"]);
  assert.equal(forkPoint(root, "main"), repository.git("rev-parse", "main~1").trim());
});

test("on main with uncommitted changes, only these files are changed", () => {
  using repository = new TemporaryRepository();
  const { root } = repository;
  for (const file of ["first", "second"]) {
    repository.write(file, "");
    repository.commit(file);
  }
  const head = repository.git("rev-parse", "main").trim();
  repository.write("untracked", "");
  assert.deepEqual(changedFiles(root, "main"), ["untracked"]);
  assert.equal(forkPoint(root, "main"), head);
  repository.git("clean", "--force", "--quiet");
  repository.write("first", "changed");
  assert.deepEqual(changedFiles(root, "main"), ["first"]);
  repository.git("add", "first");
  assert.deepEqual(changedFiles(root, "main"), ["first"], "staged");
  assert.equal(forkPoint(root, "main"), head);
});
