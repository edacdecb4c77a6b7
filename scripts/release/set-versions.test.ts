import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { workspacePackages } from "../workspace/packages.ts";
import { currentVersion, versionChanges } from "./set-versions.ts";

const root = resolve(import.meta.dirname, "../..");

test("a new version changes only versions, in all packages, dependencies between them, the lock file and Python packages", () => {
  const before = currentVersion(root);
  const changes = versionChanges(root, "9.8.7-rc.1");
  const packages = workspacePackages(root);
  for (const directory of ["", ...packages.keys()]) assert.ok(changes.has(join(directory, "package.json")));
  assert.ok(changes.has("package-lock.json"));
  assert.ok(changes.has("clients/az-extension/pyproject.toml"));
  for (const [path, content] of changes) {
    const lines = content.split("\n");
    const old = readFileSync(join(root, path), "utf8").split("\n");
    assert.equal(lines.length, old.length, path);
    const changed = lines.flatMap((line, at) => (line === old[at] ? [] : [at]));
    assert.ok(changed.length > 0, path);
    for (const at of changed) assert.equal(lines[at], old[at]?.replaceAll(before, "9.8.7-rc.1"), path);
  }
});

test("no workspace package keeps a dependency on the former version", () => {
  const names = new Set([...workspacePackages(root).values()].map(({ name }) => name));
  for (const [path, content] of versionChanges(root, "9.8.7")) {
    if (!path.endsWith("package.json")) continue;
    const { dependencies = {}, devDependencies = {} } = JSON.parse(content);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      if (names.has(name)) assert.equal(version, "9.8.7", `${path}: ${name}`);
  }
});
