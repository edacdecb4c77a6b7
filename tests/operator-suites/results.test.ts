import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TestResults, tableOf } from "./results.ts";
import { findSuites } from "./suites.ts";

test("each test of a suite is listed with its result, also a test that did not finish", () => {
  const results = new TestResults();
  for (const line of [
    "=== RUN   TestA",
    "=== RUN   TestA/part",
    "    a_test.go:1: --- not a result",
    "--- FAIL: TestA (1.25s)",
    "    --- FAIL: TestA/part (1.20s)",
    "=== RUN   TestB",
    "--- PASS: TestB (0.00s)",
    "=== RUN   TestC",
    "--- SKIP: TestC (0.00s)",
    "=== RUN   TestD",
    "panic: test timed out",
  ])
    results.add(line);
  assert.deepEqual(tableOf("e2e", results.all), [
    ["suite", "test", "result", "seconds"],
    ["e2e", "TestA", "FAIL", "1.3"],
    ["e2e", "TestA/part", "FAIL", "1.2"],
    ["e2e", "TestB", "PASS", "0.0"],
    ["e2e", "TestC", "SKIP", "0.0"],
    ["e2e", "TestD", "INCOMPLETE", "-"],
  ]);
  assert.equal(results.count("FAIL"), 2);
});

test("a suite is a directory with Go tests or with a compiled test program", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "suites-"));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const name of ["empty", "source", "compiled"]) mkdirSync(join(directory, name));
  writeFileSync(join(directory, "source", "a_test.go"), "package a");
  writeFileSync(join(directory, "compiled", "e2e.test"), "");
  const [empty, source, compiled] = ["empty", "source", "compiled"].map((name) => join(directory, name));
  assert.deepEqual(findSuites([source ?? "", compiled ?? ""]), {
    suites: [
      { directory: source, program: undefined },
      { directory: compiled, program: join(compiled ?? "", "e2e.test") },
    ],
  });
  const problem = (path: string) => {
    const found = findSuites([path]);
    return "problem" in found ? found.problem : "";
  };
  assert.match(problem(empty ?? ""), /empty" has neither \*_test\.go nor a program \*\.test\.$/);
  assert.match(problem(join(directory, "absent")), /absent" is not a directory\.$/);
});
