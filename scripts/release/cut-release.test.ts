import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TemporaryRepository } from "../testing/temporary-repository.ts";
import { cutRelease, releaseProblems } from "./cut-release.ts";

const date = "2026-11-30";

function repository(): TemporaryRepository {
  const made = new TemporaryRepository();
  const manifest = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
  made.write("package.json", manifest({ name: "root", version: "0.1.0", workspaces: ["libraries/*"] }));
  made.write("libraries/a/package.json", manifest({ name: "@keelson/a", version: "0.1.0" }));
  const dependencies = { "@keelson/a": "0.1.0", other: "0.1.0" };
  made.write("libraries/b/package.json", manifest({ name: "@keelson/b", version: "0.1.0", dependencies }));
  const packages = {
    "": { name: "root", version: "0.1.0" },
    "libraries/a": { version: "0.1.0" },
    "libraries/b": { version: "0.1.0", dependencies },
    "node_modules/other": { version: "0.1.0" },
  };
  made.write("package-lock.json", manifest({ version: "0.1.0", packages }));
  made.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n");
  made.git("config", "user.name", "t");
  made.git("config", "user.email", "t@example.com");
  made.commit("first");
  return made;
}

test("a release sets all versions, moves the changelog and commits", () => {
  using made = repository();
  assert.deepEqual(releaseProblems(made.root, "0.2.0"), []);
  cutRelease(made.root, { version: "0.2.0", date });
  const read = (path: string) => readFileSync(join(made.root, path), "utf8");
  const b = JSON.parse(read("libraries/b/package.json"));
  assert.equal(b.version, "0.2.0");
  assert.deepEqual(b.dependencies, { "@keelson/a": "0.2.0", other: "0.1.0" });
  const lock = JSON.parse(read("package-lock.json"));
  assert.equal(lock.packages["libraries/b"].dependencies["@keelson/a"], "0.2.0");
  assert.equal(lock.packages["node_modules/other"].version, "0.1.0");
  assert.match(read("CHANGELOG.md"), /## Unreleased\n\n## 0\.2\.0 - 2026-11-30\n\n### Added/);
  assert.equal(made.git("status", "--porcelain"), "");
  assert.equal(made.git("log", "-1", "--format=%s").trim(), "release: set version 0.2.0");
  assert.match(releaseProblems(made.root, "0.3.0").join(), /"Unreleased" has no entry/);
});

test("a dry run lists the changed files and changes nothing", () => {
  using made = repository();
  const before = made.git("rev-parse", "HEAD");
  const changed = cutRelease(made.root, { version: "0.2.0", date }, { dryRun: true });
  assert.ok(changed.includes("CHANGELOG.md") && changed.includes("libraries/a/package.json"));
  assert.equal(made.git("status", "--porcelain"), "");
  assert.equal(made.git("rev-parse", "HEAD"), before);
});

test("a dirty tree and a version that is not semantic or not newer are refused", () => {
  using made = repository();
  assert.match(releaseProblems(made.root, "v0.2").join(), /"v0\.2" is not a semantic version/);
  assert.match(releaseProblems(made.root, "0.1.0").join(), /0\.1\.0 is not newer than 0\.1\.0/);
  assert.match(releaseProblems(made.root, "0.1.0-rc.1").join(), /is not newer/);
  made.write("new-file", "");
  assert.match(releaseProblems(made.root, "0.2.0").join(), /1 changed files\..*new-file/);
});
