import assert from "node:assert/strict";
import { test } from "node:test";
import { TemporaryRepository } from "../testing/temporary-repository.ts";
import { checkedCommits, checkSubjects, subjectRemedy } from "./commit-subjects.ts";

const valid = [
  "portal: serve Prometheus responses with a fixed content type",
  "libraries/base, cmd: accept a second port",
  "@keelson/workflow: retry",
  "portal(web): show regions",
  `area: ${"x".repeat(66)}`,
];
for (const subject of valid) {
  test(`a commit subject is accepted: ${subject.slice(0, 40)}`, () => {
    assert.equal(subjectRemedy(subject), undefined);
  });
}

const invalid: readonly [subject: string, remedy: RegExp][] = [
  ["Say what a lost answer did", /area: imperative summary/],
  ["Portal: serve metrics", /area: imperative summary/],
  ["portal:serve metrics", /area: imperative summary/],
  ["portal: ", /area: imperative summary/],
  ['Revert "portal: serve metrics"', /area: imperative summary/],
  [`area: ${"x".repeat(67)}`, /73 characters; use at most 72/],
  ["commit: Say what a lost answer did", /name the change/],
  ["commit: say what a lost answer did", /name the change/],
];
for (const [subject, remedy] of invalid) {
  test(`a commit subject is refused: ${subject.slice(0, 40)}`, () => {
    assert.match(subjectRemedy(subject) ?? "", remedy);
  });
}

/** Returns the invalid commit subjects in a repository. */
const check = ({ root }: TemporaryRepository) =>
  checkSubjects(root, "check.ts").map(({ subject }) => subject);

test("subjects are checked after the introduction of the check, without merges and earlier branches", () => {
  using repository = new TemporaryRepository();
  repository.commit("Before");
  repository.git("branch", "earlier");
  repository.write("check.ts", "");
  assert.deepEqual(check(repository), [], "not committed yet");
  repository.commit("Introduction");
  assert.deepEqual(check(repository), []);
  repository.commit("Later");
  repository.commit("area: later");
  repository.git("checkout", "--quiet", "earlier");
  repository.write("b", "");
  repository.commit("On an earlier branch");
  repository.git("checkout", "--quiet", "main");
  repository.git("merge", "--quiet", "--no-edit", "earlier");
  assert.deepEqual(check(repository), ["Later"]);
});

test("only the last subjects are checked", () => {
  using repository = new TemporaryRepository();
  repository.write("check.ts", "");
  for (const subject of ["Introduction", "First", "Second", "Third"]) repository.commit(subject);
  const found = checkSubjects(repository.root, "check.ts", { count: 2 }).map(({ subject }) => subject);
  assert.deepEqual(found, ["Third", "Second"]);
  assert.equal(checkedCommits, 200);
});

test("commits in the base are not checked", () => {
  using repository = new TemporaryRepository();
  repository.write("check.ts", "");
  for (const subject of ["Introduction", "First", "Second"]) repository.commit(subject);
  const found = checkSubjects(repository.root, "check.ts", { base: "HEAD~1" }).map(({ subject }) => subject);
  assert.deepEqual(found, ["Second"]);
});

test("a shallow clone is checked from its oldest commit", () => {
  using repository = new TemporaryRepository();
  repository.write("check.ts", "");
  repository.commit("Introduction");
  repository.commit("Second");
  repository.commit("Third");
  using clone = new TemporaryRepository();
  clone.git("fetch", "--quiet", "--depth=2", `file://${repository.root}`, "main");
  clone.git("reset", "--quiet", "--hard", "FETCH_HEAD");
  assert.deepEqual(check(clone), ["Third"]);
});
