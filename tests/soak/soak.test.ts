import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";

const run = (script: string, ...args: readonly string[]) => {
  const path = new URL(script, import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
};

test("the soak prints its options", () => {
  const { status, stdout } = run("main.ts", "--help");
  assert.equal(status, 0);
  assert.match(stdout, /--hours N +total duration .*\(default: 8\)\n/);
});

test("the soak refuses a wrong value with the allowed form and an example", () => {
  const { status, stderr } = run("main.ts", "--hours", "many");
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^--hours N is a number of at least 0, not "many"\. Example: node tests\/soak\/main\.ts /,
  );
});

test("the comparison of heaps needs two files", () => {
  assert.equal(run("compare-heaps.ts", "--help").status, 0);
  const { status, stderr } = run("compare-heaps.ts", "only.heapsnapshot");
  assert.equal(status, 2);
  assert.match(stderr, /^usage: node tests\/soak\/compare-heaps\.ts BEFORE/);
});
