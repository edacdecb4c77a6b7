import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";

const main = join(import.meta.dirname, "..", "main.ts");

/** Runs a command line with an output redirection. */
function keelson(args: string, redirection: string) {
  const script = `"$0" --disable-warning=ExperimentalWarning "$1" ${args} ${redirection}`;
  return spawnSync("/bin/sh", ["-c", script, process.execPath, main], { encoding: "utf8" });
}

test("data for which there is no room is a failure", { skip: !existsSync("/dev/full") }, () => {
  const { status, stderr } = keelson("swagger list", ">/dev/full");
  assert.equal(status, 1);
  assert.match(stderr, /^keelson: standard output: ENOSPC[^\n]*\n$/);
});

test("a reader that closes the pipe causes no error message", () => {
  const { stdout, stderr } = keelson("swagger print admin", "| head -c 1");
  assert.deepEqual([stdout, stderr], ["{", ""]);
});

test("progress that cannot be shown stops nothing", { skip: !existsSync("/dev/full") }, () => {
  assert.equal(keelson("down --state /nowhere", "2>/dev/full").status, 0);
});
