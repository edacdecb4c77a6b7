import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parseCommandOptions } from "../../scripts/command-options.ts";
import { simScaleOptions } from "./main.ts";
import { summarize } from "./probe.ts";
import { parseSizes, ScaleResults, type ScaleRow } from "./results.ts";

const row: ScaleRow = {
  phase: "nodes",
  nodes: 250,
  pods: 1_000,
  seconds: 2,
  cores: 1,
  rssMib: 300,
  getP50Ms: 1,
  getP99Ms: 2,
  getMaxMs: 3,
  getsFailed: 0,
  longestBlockMs: 4,
  longestTurnMs: 4,
};

test("sim-scale appends rows and resumes after an incomplete last line", () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "bench-sim-scale-test-"));
  const file = join(directory.path, "rows.jsonl");
  const first = new ScaleResults(file);
  first.add(row);
  first.add({ ...row, seconds: 9 });
  first.add({ ...row, phase: "pods" });
  assert.equal(readFileSync(file, "utf8").split("\n").length, 3);
  writeFileSync(file, '{"phase":"idle","nod', { flag: "a" });
  const second = new ScaleResults(file);
  assert.deepEqual(second.rows, [row, { ...row, phase: "pods" }]);
  assert.equal(second.has(row, "idle"), false);
  second.add({ ...row, phase: "idle" });
  assert.equal(new ScaleResults(file).rows.length, 3);
});

test("sim-scale accepts sizes and rejects invalid values with an example", () => {
  assert.deepEqual(parseSizes("250x10000,1000x100000"), [
    { nodes: 250, pods: 10_000 },
    { nodes: 1_000, pods: 100_000 },
  ]);
  assert.ok(
    "values" in parseCommandOptions(simScaleOptions, ["--sizes", "6x1000", "--phases", "nodes,idle"]),
  );
  for (const [option, value] of [
    ["--sizes", "0x10"],
    ["--sizes", "250"],
    ["--sizes", "250x1e5"],
    ["--phases", "nodes,other"],
    ["--phases", ""],
    ["--idle", "0"],
  ] as const) {
    const parsed = parseCommandOptions(simScaleOptions, [option, value]);
    assert.ok("problem" in parsed && parsed.problem.includes(JSON.stringify(value)), `${option} ${value}`);
  }
});

test("latencies are summarized by percentiles", () => {
  const latencies = Array.from({ length: 100 }, (_, at) => 100 - at);
  assert.deepEqual(summarize(latencies), { p50Ms: 51, p99Ms: 100, maxMs: 100 });
  assert.ok(Number.isNaN(summarize([]).p99Ms));
});
