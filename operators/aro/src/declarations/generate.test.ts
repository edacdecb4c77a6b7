import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { controllers } from "../controllers/controllers.generated.ts";
import { staleFiles } from "./generate.ts";

test("files that derive from the controllers are current", async () => {
  assert.deepEqual(await staleFiles(), [], "run make generate");
});

test("a controller's directory is its name in kebab case", () => {
  const files = globSync("*/controller.ts", { cwd: join(import.meta.dirname, "../controllers") });
  assert.deepEqual(files.map(dirname).sort(), controllers.map(({ name }) => kebabCase(name)).sort());
});

test("every difference from the original in the README names an existing test file", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const [, differences = ""] = readme.split("\n## Differences from the original\n");
  const [list = ""] = differences.split("\n## ");
  const [, rows = ""] = readme.split(/^\| --- .*\n/m);
  const entries = [...list.split("\n- ").slice(1), ...rows.trim().split("\n")];
  assert.ok(entries.length > controllers.length);
  for (const entry of entries) {
    const files = [...entry.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = ""]) => file);
    assert.ok(files.length > 0, `no test: ${entry.slice(0, 80)}`);
    for (const file of files) await access(new URL(`../../${file}`, import.meta.url));
  }
});

function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "-").toLowerCase();
}
