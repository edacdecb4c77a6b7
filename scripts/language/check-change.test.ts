import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCheck } from "../check-language.ts";
import { TemporaryRepository } from "../testing/temporary-repository.ts";
import { ratchetFile } from "./ratchet.ts";

/** Runs the check in a repository. Returns its output and exit code. */
function run({ root }: Pick<TemporaryRepository, "root">, ...args: string[]) {
  const lines: string[] = [];
  const status = runCheck(root, args, (line) => lines.push(line));
  return { status, lines };
}

/** Creates a repository with one known finding on `main` and the branch `branch`. */
function repositoryWithBranch(): TemporaryRepository {
  const repository = new TemporaryRepository();
  repository.write("docs/a.md", "Locked by nobody.\n");
  repository.write("scripts/language/.keep", "");
  runCheck(repository.root, ["--lower"], () => {});
  repository.write("scripts/check-language.ts", "");
  repository.commit("Introduction");
  repository.git("checkout", "--quiet", "-b", "branch");
  return repository;
}

test("a known finding passes", () => {
  using repository = repositoryWithBranch();
  assert.deepEqual(run(repository), { status: 0, lines: ["language: no new findings, 1 known ones"] });
});

test("a finding in an added line fails even if the count stays the same", () => {
  using repository = repositoryWithBranch();
  repository.write("docs/a.md", "Locked by no one.\n");
  assert.deepEqual(run(repository), {
    status: 1,
    lines: [
      'docs/a.md:1: agent: "no one": name the agent, or use the passive with not',
      "language: findings in added lines: 1, exceeded ratchet numbers: 0, commit subjects: 0. See docs/language.md.",
    ],
  });
});

test("a moved file passes within its package and exceeds the ratchet of another one", () => {
  using repository = repositoryWithBranch();
  repository.git("mv", "docs/a.md", "docs/b.md");
  assert.equal(run(repository).status, 0);
  repository.write("design/.keep", "");
  repository.git("mv", "docs/b.md", "design/b.md");
  const { status, lines } = run(repository);
  assert.equal(status, 1);
  assert.match(lines[0] ?? "", /^design\/b\.md:1: agent: "nobody"/);
  assert.match(lines[1] ?? "", /^design: ratchet: agent: 1 found, 0 allowed\. Rewrite prose of design/);
});

test("a raised number in the ratchet file does not count", () => {
  using repository = repositoryWithBranch();
  repository.write(ratchetFile, '{ "docs": { "agent": 2 } }');
  repository.write("docs/new.md", "Read by someone.\n");
  const { status, lines } = run(repository);
  assert.equal(status, 1);
  assert.ok(lines.some((line) => line.startsWith("docs: ratchet: agent: 2 found, 1 allowed.")));
});

test("a raised number counts if the change adds rules", () => {
  using repository = repositoryWithBranch();
  repository.write(ratchetFile, '{ "docs": { "agent": 2 } }');
  repository.write("scripts/language/words.ts", "");
  repository.write("docs/a.md", "Locked by nobody.\nRead by someone.\n");
  const { lines } = run(repository);
  assert.deepEqual(
    lines.filter((line) => line.includes("ratchet: ")),
    [],
  );
});

test("a removed finding passes and --lower lowers the file", () => {
  using repository = repositoryWithBranch();
  repository.write("docs/a.md", "Not locked.\n");
  const { status, lines } = run(repository);
  assert.equal(status, 0);
  assert.match(
    lines[0] ?? "",
    /^Counts of docs are lower than in .* Run `node scripts\/check-language\.ts --lower`/,
  );
  run(repository, "--lower");
  assert.equal(readFileSync(join(repository.root, ratchetFile), "utf8"), "{}\n");
});

test("a long commit subject fails", () => {
  using repository = repositoryWithBranch();
  repository.commit(`area: ${"x".repeat(80)}`);
  const { status, lines } = run(repository);
  assert.equal(status, 1);
  assert.match(lines[0] ?? "", /^[0-9a-f]{7,}: commit-subject: "area: x+": 86 characters; use at most 72$/);
});

test("--list prints the findings below a path", () => {
  using repository = repositoryWithBranch();
  repository.write("api/a.md", "Read anew.");
  assert.equal(run(repository, "--list").lines.length, 2);
  assert.deepEqual(run(repository, "--list", "api/").lines, ['api/a.md:1: word: "anew": again']);
  assert.throws(
    () => run(repository, "--list", "apis"),
    /path "apis" does not exist\. Use a path relative to/,
  );
});

test("--report prints tables and --help the options", () => {
  using repository = repositoryWithBranch();
  assert.match(
    run(repository, "--report").lines.join("\n"),
    /^package [^\n]*\ndocs +3 +1 .*\n.*per 10,000 words of/ms,
  );
  assert.match(run(repository, "--help").lines.join("\n"), /usage: node scripts\/check-language\.ts/);
});

test("an unknown base is refused with an example", () => {
  using repository = repositoryWithBranch();
  assert.throws(
    () => run(repository, "--base", "nope"),
    /base "nope" is not a commit .* --base origin\/main/,
  );
});

test("outside of a git checkout the ratchet alone is checked", () => {
  using repository = repositoryWithBranch();
  repository.git("checkout", "--quiet", "main");
  using outside = new TemporaryRepository();
  outside.write("copy/docs/a.md", "Locked by nobody.\n");
  const { status, lines } = run({ root: join(outside.root, "copy") });
  assert.equal(status, 1);
  assert.match(lines.at(-2) ?? "", /^No git checkout: added lines and commit subjects are not checked\.$/);
  assert.equal(existsSync(join(outside.root, "copy", ratchetFile)), false);
});

test("a clone without the default branch skips added lines", () => {
  using repository = repositoryWithBranch();
  repository.git("branch", "--quiet", "--delete", "--force", "main");
  repository.write("docs/a.md", "Locked by no one.\n");
  const { status, lines } = run(repository);
  assert.equal(status, 0);
  assert.match(lines[0] ?? "", /^No branch main or origin\/main: .* --base REF\.$/);
});

test("a shallow clone without a common commit skips added lines", () => {
  using repository = repositoryWithBranch();
  repository.git("checkout", "--quiet", "--orphan", "unrelated");
  repository.commit("area: unrelated");
  const { status, lines } = run(repository);
  assert.equal(status, 0);
  assert.match(lines[0] ?? "", /^No common commit of main and HEAD/);
});
