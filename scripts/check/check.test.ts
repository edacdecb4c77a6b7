/** Tests `make check` in a small checkout with copies of the scripts. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { TemporaryRepository } from "../testing/temporary-repository.ts";

const root = new URL("../..", import.meta.url).pathname;
const options = {
  strict: true,
  noEmit: true,
  types: ["node"],
  module: "nodenext",
  allowImportingTsExtensions: true,
};

function smallCheckout(): TemporaryRepository {
  const repository = new TemporaryRepository();
  cpSync(join(root, "scripts"), join(repository.root, "scripts"), {
    recursive: true,
    filter: (path) => !/\.test\.ts$|\/(generate|site)$/.test(path),
  });
  for (const file of ["biome.json", ".gitignore"]) cpSync(join(root, file), join(repository.root, file));
  symlinkSync(join(root, "node_modules"), join(repository.root, "node_modules"));
  mkdirSync(join(repository.root, ".tools"));
  const manifest = { name: "small", type: "module", workspaces: ["libraries/*"] };
  repository.write("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
  const tsconfig = { compilerOptions: options, include: ["libraries"] };
  repository.write("tsconfig.json", `${JSON.stringify(tsconfig, undefined, 2)}\n`);
  const web = { extends: "../../tsconfig.json", include: ["src"] };
  for (const pages of ["services/portal-web", "simulators/console"]) {
    repository.write(`${pages}/tsconfig.json`, `${JSON.stringify(web, undefined, 2)}\n`);
    repository.write(`${pages}/src/page.ts`, "export const page = 1;\n");
  }
  repository.write("libraries/base/package.json", '{ "name": "@keelson/base" }\n');
  repository.write("libraries/base/src/one.ts", "export const one = 1;\n");
  repository.write("libraries/base/src/index.ts", 'export { one } from "./one.ts";\n');
  repository.write(
    "libraries/base/src/one.test.ts",
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { one } from "./one.ts";\n\ntest("one is 1", () => assert.equal(one, 1));\n',
  );
  repository.commit("base: add one");
  return repository;
}

async function check(repository: TemporaryRepository, ...args: string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const script = join(repository.root, "scripts/check/main.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  const [code] = await once(child, "close");
  return { code, output };
}

test("a change that passes, exceeds the budget, or is covered by other checks", async () => {
  using repository = smallCheckout();
  repository.write("libraries/base/src/one.ts", "export const one = 1 as const;\n");
  repository.write("libraries/base/src/index.ts", 'export { one, one as uno } from "./one.ts";\n');
  repository.write("scripts/install-nothing.sh", "#!/bin/sh\nexit 0\n");
  const passed = await check(repository);
  assert.equal(passed.code, 0, passed.output);
  assert.match(passed.output, /1 test files reach the change by imports; 1 run/);
  assert.match(passed.output, /1 passed, 0 failed/);
  assert.match(passed.output, /libraries\/base\/src\/index\.ts: covered by types, lint, import rules/);
  assert.match(passed.output, /scripts\/install-nothing\.sh: covered by shell syntax, .*`make test-clients`/);

  const exceeded = await check(repository, "--seconds", "0");
  assert.equal(exceeded.code, 1, exceeded.output);
  assert.match(exceeded.output, /1 test files were not run:\n {2}libraries\/base\/src\/one\.test\.ts/);
  assert.match(exceeded.output, /1 test files exceed the budget of 0 s\. Run `make test`/);
  const partial = await check(repository, "--seconds", "0", "--partial");
  assert.equal(partial.code, 0, partial.output);
});

test("a type error in services/portal-web and a forbidden comment in a new line fail, and are named", async () => {
  using repository = smallCheckout();
  repository.write("services/portal-web/src/page.ts", 'export const page: number = "1";\n');
  repository.write("libraries/base/src/two.ts", "/** What comes after one. */\nexport const two = 2;\n");
  const { code, output } = await check(repository);
  assert.equal(code, 1);
  assert.match(output, /services\/portal-web\/src\/page\.ts.*TS2322/);
  assert.match(output, /libraries\/base\/src\/two\.ts:1: first-word: "What/);
  assert.match(output, /make check: failed: types of services\/portal-web, language; the tests did not run/);
});

test("a wrong option or base is refused before anything runs", async () => {
  using repository = smallCheckout();
  for (const [args, message] of [
    [["--seconds", "many"], /--seconds many is not a number of seconds\. Example: --seconds 300/],
    [["--base", "nosuch"], /base "nosuch" is not a commit/],
    [["--nosuch"], /--nosuch/],
  ] as const) {
    const { code, output } = await check(repository, ...args);
    assert.equal(code, 2, output);
    assert.match(output, message);
  }
});
