/** Runs the steps of docs/howto/add-a-controller.md in a copy of this package. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const page = readFileSync(join(root, "docs/howto/add-a-controller.md"), "utf8");
const copy = mkdtempSync(join(tmpdir(), "keelson-howto-"));
after(() => rmSync(copy, { recursive: true }));

const generated = [
  ["operators/aro/src/controllers/controllers.generated.ts", /from "\.\/contact\/controller\.ts"/],
  ["operators/aro/README.md", /^\| Contact \| ConfigMap .*`aro\.contact\.enabled`/m],
  ["libraries/aro-api/src/flags.generated.ts", /"aro\.contact\.enabled": \{/],
  ["libraries/aro-api/src/manifests/operator-rules.generated.ts", /"openshift-config-managed": \[/],
] as const;

test("the controller of the page passes the type check and its own test, and is generated into each list", {
  timeout: 900_000,
}, async () => {
  for (const each of ["operators/aro", "libraries/aro-api"])
    cpSync(join(root, each), join(copy, each), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, path = "", text = ""]) => {
      const file = join(copy, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  );
  assert.equal(files.length, 2, "the page has the controller and its test");
  const config = { extends: join(root, "tsconfig.json"), include: [], files };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = promisify(execFile);
  await run(join(root, "node_modules/.bin/tsc"), ["-p", join(copy, "tsconfig.json")], { cwd: copy, env });
  const [, contactTest = ""] = files;
  const flags = ["--disable-warning=ExperimentalWarning", "--test"] as const;
  const { stdout } = await run(process.execPath, [...flags, contactTest], { cwd: copy, env });
  assert.match(stdout, /^ℹ pass [12]$/m);

  const [warnings] = flags;
  const generate = join(copy, "operators/aro/src/declarations/generate.ts");
  await run(process.execPath, [warnings, generate, "--update"], { cwd: copy, env });
  for (const [path, pattern] of generated) assert.match(readFileSync(join(copy, path), "utf8"), pattern);
});
