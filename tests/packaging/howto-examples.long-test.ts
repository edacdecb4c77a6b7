/** Runs the examples of docs/howto/test-with-keelson.md with the packed API server. Languages without a toolchain are skipped. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { packPublished } from "../../scripts/pack/pack-published.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/howto/test-with-keelson.md"), "utf8");
const directory = mkdtempSync(join(tmpdir(), "keelson-howto-"));
const project = join(directory, "project");
const [introduction = "", ...sections] = page.split(/^## /m);

before(async () => {
  const dist = join(directory, "dist");
  packPublished(root, dist, ["@keelson/apiserver"]);
  mkdirSync(project);
  await shell(project, blocksOf(introduction, "sh"), { DIST: dist, npm_config_prefer_offline: "true" });
});
after(() => rmSync(directory, { recursive: true }));

function blocksOf(section: string, language: string): string {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms");
  return [...section.matchAll(fence)].map(([, block]) => block).join("\n");
}

async function shell(cwd: string, script: string, environment: NodeJS.ProcessEnv = {}): Promise<void> {
  assert.ok(script.length > 0);
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const env = { ...process.env, ...environment, PATH: path };
  await run("sh", ["-ec", script], { cwd, env, timeout: 900_000, maxBuffer: 2 ** 26 });
}

/**
 * Processes the code blocks of a section in order, in a copy of the project. Writes the files that the section names and runs its
 * commands.
 */
async function runSection(title: string, languages: readonly string[]): Promise<void> {
  const section = sections.find((each) => each.startsWith(title)) ?? "";
  const copy = join(directory, title);
  cpSync(project, copy, { recursive: true, verbatimSymlinks: true });
  const files = [...section.matchAll(/^Write .*?`([^`]+\.\w+)`/gm)].map(([, path = ""]) => path);
  assert.equal(files.length, languages.length, files.join());
  for (const [at, language] of languages.entries()) {
    const path = join(copy, files[at] ?? "");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, blocksOf(section, language));
  }
  await shell(copy, blocksOf(section, "sh"));
}

/** Returns a message about the first program that is not installed. Undefined if all programs are installed. */
function missing(...programs: readonly string[]): string | undefined {
  const name = programs.find((each) => spawnSync("sh", ["-c", `command -v ${each}`]).status !== 0);
  return name && `${name} is not installed`;
}

test("the TypeScript example passes", () => runSection("TypeScript", ["ts"]));

test("the Python example passes", { skip: missing("python3") ?? false }, () =>
  runSection("Python", ["python"]),
);

test("the Go example passes", { skip: missing("go") ?? false }, () => runSection("Go", ["go"]));

test("the Java example passes", { skip: missing("java", "mvn") ?? false }, () =>
  runSection("Java", ["xml", "java"]),
);
