import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { checkFile } from "./language/check-file.ts";
import { exemptions } from "./language/exemptions.ts";
import { TemporaryRepository } from "./testing/temporary-repository.ts";

const root = resolve(import.meta.dirname, "..");

for (const exemption of exemptions) {
  test(`an exemption is needed: ${exemption.path}: ${exemption.text}`, () => {
    const content = readFileSync(join(root, exemption.path), "utf8");
    const others = exemptions.filter((each) => each !== exemption);
    const count = (exempt: typeof exemptions) => checkFile(exemption.path, content, exempt).length;
    assert.ok(count(others) > count(exemptions));
  });
}

/** Runs a copy of the language check in a test repository. */
function runCopy(repository: TemporaryRepository, ...args: string[]) {
  const script = join(repository.root, "scripts/check-language.ts");
  return spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    cwd: repository.root,
    encoding: "utf8",
  });
}

function repositoryWithCheck(): TemporaryRepository {
  const repository = new TemporaryRepository();
  for (const path of ["check-language.ts", "language", "git/git.ts", "git/changed-files.ts"]) {
    cpSync(join(root, "scripts", path), join(repository.root, "scripts", path), { recursive: true });
  }
  repository.write(".gitignore", "node_modules\n");
  symlinkSync(join(root, "node_modules"), join(repository.root, "node_modules"));
  repository.write("package.json", '{ "type": "module" }');
  repository.write("docs/a.md", "One.\n");
  repository.commit("area: first");
  return repository;
}

test("the command exits with 1 for a comment and names path, rule, words and remedy", () => {
  using repository = repositoryWithCheck();
  assert.deepEqual(runCopy(repository).stdout, "language: no findings\n");
  repository.write("libraries/new/src/a.ts", "/** What it does. */\nexport const a = 1;\n");
  const { status, stdout } = runCopy(repository);
  assert.equal(status, 1);
  assert.equal(
    stdout,
    [
      'libraries/new/src/a.ts:1: first-word: "What it does.": begin with a noun phrase or a third-person verb',
      "language: findings: 1, commit subjects: 0. See docs/language.md.",
      "",
    ].join("\n"),
  );
});

test("the command exits with 2 for an unknown option and for an unknown base", () => {
  using repository = repositoryWithCheck();
  for (const args of [["--nope"], ["--base", "nope"]]) {
    const { status, stderr, stdout } = runCopy(repository, ...args);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, new RegExp(`"${args.at(-1)}".*for example.*--base origin/main`));
  }
});
