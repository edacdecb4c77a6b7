import assert from "node:assert/strict";
import { globSync } from "node:fs";
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

function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "-").toLowerCase();
}
