import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { performanceFile, performancePage } from "./performance-page.ts";
import { type PublishedRun, readPublishedRuns, runFileName, writtenNumbers } from "./published-run.ts";
import { recordedOptions, runsOfBenchFile } from "./runs-of-bench-file.ts";
import { unknownValues } from "./stated-values.ts";

const root = join(import.meta.dirname, "../..");
const run: PublishedRun = {
  part: "rp",
  options: "--only GET",
  date: "2026-11-30T10:00:00.000Z",
  machine: { node: "24.21.0", cores: 2, cpu: "CPU", memoryGiB: 24 },
  load: 0.4,
  tables: [
    { title: "ARM API", rows: [{ name: "GET, 16 connections", values: { "req/s": 19776, p99: 2.94 } }] },
  ],
};

test("docs/performance.md is what make generate writes", () => {
  assert.equal(readFileSync(performanceFile, "utf8"), performancePage());
});

test("no document states a measured value that no recorded benchmark run printed", () => {
  const runs = readPublishedRuns();
  const documents = globSync(
    [
      "*.md",
      "docs/**/*.md",
      "design/*.md",
      "bench/*.md",
      "{cmd,services,libraries,operators,simulators}/*/README.md",
    ],
    {
      cwd: root,
      exclude: (name) => name.includes("node_modules"),
    },
  ).filter((name) => !["CHANGELOG.md", "docs/performance.md"].includes(name));
  assert.ok(documents.length > 50);
  const problems = documents.flatMap((name) =>
    unknownValues(readFileSync(join(root, name), "utf8"), runs).map(
      ({ line, reason }) => `${name}:${line}: ${reason}`,
    ),
  );
  assert.deepEqual(problems, []);
});

test("a value of a table with the column bench must be printed, rounded to its digits", () => {
  const table = (value: string, bench: string) =>
    ["| input | value | bench |", "|---|---|---|", `| GET | ${value} | ${bench} |`].join("\n");
  const reasons = (source: string) => unknownValues(source, [run]).map(({ reason }) => reason);
  assert.deepEqual(reasons(table("19,776 per second, p99 2.9 ms", "rp")), []);
  assert.deepEqual(reasons(table("3 ms with 16 connections", "rp, one cluster")), []);
  assert.deepEqual(reasons(table("20,000 per second", "rp")), ["the benchmark rp did not print 20,000"]);
  assert.deepEqual(reasons(table("2.95 ms", "rp")), ["the benchmark rp did not print 2.95"]);
  assert.deepEqual(reasons(table("26 ms", "monitor")), ["no run of the benchmark monitor is recorded"]);
  assert.deepEqual(reasons(table("20 KB (estimate)", "")), []);
});

test("a measured rate in prose is rejected, a limit is not", () => {
  const lines = (source: string) => unknownValues(source, [run]).map(({ line }) => line);
  assert.deepEqual(lines("one\nThe service answers 19,776 requests per second."), [2]);
  assert.deepEqual(lines("A GET needs 56 us CPU time."), [1]);
  assert.deepEqual(lines("The limit is 25 requests per second."), []);
});

test("numbers that are part of a word are no values", () => {
  assert.deepEqual(
    writtenNumbers("p99 of k8s 1,234.5 MB, 0.06 ms, HTTP2 and v1.2.3").map(({ text, decimals }) => [
      text,
      decimals,
    ]),
    [
      ["1,234.5", 1],
      ["0.06", 2],
    ],
  );
});

test("a page section has date, machine, command, method, peer and the printed table", () => {
  const readme = "| part | measures | peer |\n|---|---|---|\n| rp * | ARM API | fastify |\n";
  const page = performancePage([{ ...run, note: "Two rounds." }], readme);
  for (const line of [
    "## rp --only GET",
    "- Date: 2026-11-30",
    "- Machine: 2 cores (CPU), 24 GiB of memory, Node.js 24.21.0, load 0.4",
    "- Command: `node bench/main.ts rp --only GET`",
    "- Method: ARM API",
    "- Peer: fastify",
    "- Note: Two rounds.",
    "ARM API              req/s   p99",
    "GET, 16 connections  19776  2.94",
  ])
    assert.ok(page.split("\n").includes(line), line);
});

test("each benchmark in a JSON file is a run, and a new run replaces the run with the same options", () => {
  const { machine, tables, date, options } = run;
  const runs = runsOfBenchFile({ ...machine, date, options, loads: { rp: 0.4 }, results: { rp: tables } });
  assert.deepEqual(runs, [run]);
  assert.deepEqual(runs.map(runFileName), ["rp-only-GET.json"]);
  assert.equal(runFileName({ part: "fleet", options: "" }), "fleet.json");
});

test("a run records its options without the output file", () => {
  assert.equal(recordedOptions(["rp", "monitor"]), "");
  assert.equal(recordedOptions(["rp", "--only", "GET", "--json", "/tmp/a.json"]), "--only GET");
  assert.equal(recordedOptions(["rp", "--json=a.json", "--processes=2"]), "--processes=2");
});
