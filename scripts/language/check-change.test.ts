import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runCheck } from "../check-language.ts";
import { TemporaryRepository } from "../testing/temporary-repository.ts";

/** Runs the check in a repository. Returns its output and exit code. */
function run({ root }: Pick<TemporaryRepository, "root">, ...args: string[]) {
  const lines: string[] = [];
  const status = runCheck(root, args, (line) => lines.push(line));
  return { status, lines };
}

/** Creates a repository without findings on `main`, and the branch `branch`. */
function repositoryWithBranch(): TemporaryRepository {
  const repository = new TemporaryRepository();
  repository.write("docs/a.md", "Not locked.\n");
  repository.write("scripts/check-language.ts", "");
  repository.commit("Introduction");
  repository.git("checkout", "--quiet", "-b", "branch");
  return repository;
}

test("a finding fails", () => {
  using repository = repositoryWithBranch();
  assert.deepEqual(run(repository), { status: 0, lines: ["language: no findings"] });
  repository.write("docs/a.md", "Locked by no one.\n");
  assert.deepEqual(run(repository), {
    status: 1,
    lines: [
      'docs/a.md:1: agent: "no one": name the agent, or use the passive with not',
      "language: findings: 1, commit subjects: 0. See docs/language.md.",
    ],
  });
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
  repository.write("docs/a.md", "Locked by nobody.\n");
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
  repository.write("docs/a.md", "Locked by nobody.\n");
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

test("outside of a git checkout commit subjects are not checked", () => {
  using outside = new TemporaryRepository();
  outside.write("copy/docs/a.md", "Locked by nobody.\n");
  const { status, lines } = run({ root: join(outside.root, "copy") });
  assert.equal(status, 1);
  assert.equal(lines.at(-2), "No git checkout: commit subjects are not checked.");
});
