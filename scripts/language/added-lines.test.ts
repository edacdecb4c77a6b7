import assert from "node:assert/strict";
import { test } from "node:test";
import { TemporaryRepository } from "../testing/temporary-repository.ts";
import { addedLines, parseDiff } from "./added-lines.ts";

const lines = (count: number, prefix = "line") =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at + 1}\n`).join("");

test("added lines are changed lines of the branch, uncommitted lines and untracked files", () => {
  using repository = new TemporaryRepository();
  repository.write("a.md", lines(20));
  repository.write("moved.md", lines(20, "moved"));
  repository.write("removed.md", "x\n");
  repository.commit("first");
  repository.git("checkout", "--quiet", "-b", "branch");
  repository.write("a.md", lines(20).replace("line 3\n", "changed\nadded\n"));
  repository.commit("second");
  repository.git("mv", "moved.md", "docs.md");
  repository.git("rm", "--quiet", "removed.md");
  repository.write("docs.md", lines(20, "moved").replace("moved 7", "--- changed\n+++ b/x"));
  repository.write("néw file.md", "one\ntwo");
  const found = [...addedLines(repository.root, "main")].map(([path, added]) => [path, [...added]]);
  assert.deepEqual(found, [
    ["a.md", [3, 4]],
    ["docs.md", [7, 8]],
    ["néw file.md", [1, 2]],
  ]);
});

test("on the base itself the lines of its last commit are added", () => {
  using repository = new TemporaryRepository();
  repository.write("a.md", "one\n");
  repository.commit("first");
  repository.write("a.md", "one\ntwo\n");
  repository.commit("second");
  assert.deepEqual([...(addedLines(repository.root, "main").get("a.md") ?? [])], [2]);
});

test("lines of a hunk that resemble file headers are content", () => {
  const diff =
    "--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n--- b/c\n+++ b/d\n++x\n@@ -5,2 +6,0 @@\n-a\n-b\n@@ -9,0 +9 @@\n+c\n";
  assert.deepEqual([...parseDiff(diff)], [["a", new Set([1, 2, 9])]]);
});
