import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { findPrograms } from "./programs.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-programs-"));
after(() => rmSync(directory, { recursive: true }));

const file = (name: string, mode = 0o755) => {
  const path = join(directory, name);
  writeFileSync(path, "", { mode });
  return path;
};
const run = (...args: string[]) => {
  const options = ["--disable-warning=ExperimentalWarning", "tests/installers/main.ts", ...args];
  return spawnSync(process.execPath, options, { encoding: "utf8" });
};

test("without programs the run of the real installers is skipped", () => {
  const { status, stdout } = run();
  assert.equal(status, 0);
  assert.match(stdout, /^skipped: INSTALLER and HIVE not set\. Usage: make test-installers/);
});

test("an unusable value ends the run of the real installers with exit code 2", () => {
  const { status, stderr } = run("--installer", join(directory, "none"));
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^--installer: .*none cannot be executed \(ENOENT\)\. Example: node tests\/installers/,
  );
});

test("programs of the real installers are executable files, and Hive has its kinds", () => {
  const installer = file("installer");
  const problemOf = (...values: Parameters<typeof findPrograms>) => {
    const found = findPrograms(...values);
    return "problem" in found ? found.problem : "";
  };
  assert.match(problemOf(file("text", 0o644), ""), /text cannot be executed \(EACCES\)/);
  assert.match(problemOf(directory, ""), /is not a file/);
  assert.match(problemOf(installer, directory), /--hive: .*manager cannot be executed/);
  const [manager, hiveutil] = [file("manager"), file("hiveutil")];
  assert.match(
    problemOf(installer, directory),
    /has no .*crds\/hive\.openshift\.io_clusterdeployments\.yaml/,
  );
  const crds = join(directory, "crds");
  mkdirSync(crds);
  writeFileSync(join(crds, "hive.openshift.io_clusterdeployments.yaml"), "");
  assert.deepEqual(findPrograms(installer, directory), { installer, hive: { manager, hiveutil, crds } });
  assert.deepEqual(findPrograms("", ""), { installer: undefined, hive: undefined });
});
