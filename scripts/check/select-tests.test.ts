import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type WorkspacePackage, workspacePackages } from "../workspace/packages.ts";
import { importersOf } from "./import-graph.ts";
import { isTested, type SelectedTest, testsOf, withinBudget } from "./select-tests.ts";

const low: WorkspacePackage = {
  directory: "libraries/low",
  name: "@keelson/low",
  dependencies: [],
  devDependencies: [],
  exports: { ".": "./src/index.ts", "./testing": "./src/testing/index.ts", "./sql": "./src/sql.ts" },
};
const packages = new Map([[low.directory, low]]);
const texts = new Map([
  [
    "libraries/low/src/index.ts",
    'export { a, type B as C } from "./a.ts";\nexport { d } from "./d/index.ts";',
  ],
  ["libraries/low/src/a.ts", 'import { e } from "./e.ts";'],
  ["libraries/low/src/a.test.ts", 'import { a } from "./a.ts";'],
  ["libraries/low/src/d/index.ts", 'export { d } from "./d.ts";'],
  ["libraries/low/src/d/d.ts", ""],
  ["libraries/low/src/e.ts", ""],
  ["libraries/low/src/sql.ts", ""],
  ["services/high/src/uses-a.ts", 'import {\n  a,\n} from "@keelson/low";'],
  ["services/high/src/uses-a.test.ts", 'const { x } = await import("./uses-a.ts");'],
  ["services/high/src/uses-type.test.ts", 'import type { C } from "@keelson/low";'],
  ["services/high/src/uses-d.test.ts", 'import { d } from "@keelson/low";'],
  ["services/high/src/uses-all.test.ts", 'import * as low from "@keelson/low";'],
  ["services/high/src/uses-sql.test.ts", 'import "@keelson/low/sql";'],
]);

const cases = [
  {
    changed: "libraries/low/src/e.ts",
    reached: ["a.test.ts 2", "uses-type.test.ts 2", "uses-all.test.ts 3", "uses-a.test.ts 3"],
  },
  { changed: "libraries/low/src/d/d.ts", reached: ["uses-d.test.ts 1", "uses-all.test.ts 2"] },
  { changed: "libraries/low/src/sql.ts", reached: ["uses-sql.test.ts 1"] },
  { changed: "services/high/src/uses-d.test.ts", reached: ["uses-d.test.ts 0"] },
];
for (const { changed, reached } of cases) {
  test(`a change of ${changed} reaches the tests that use it, through entry points too`, () => {
    const found = testsOf([changed], importersOf(texts, packages));
    const shown = found.map(({ file, distance }) => `${file.split("/").at(-1)} ${distance}`);
    assert.deepEqual(shown.sort(), [...reached].sort());
    assert.deepEqual(
      found.map(({ distance }) => distance),
      found.map(({ distance }) => distance).sort(),
    );
  });
}

test("changed tests run whatever they cost; others run nearest first while the budget lasts", () => {
  const all: SelectedTest[] = [
    { file: "libraries/a.test.ts", distance: 0 },
    { file: "tests/e2e/changed.test.ts", distance: 0 },
    { file: "libraries/b.test.ts", distance: 1 },
    { file: "libraries/c.test.ts", distance: 2 },
    { file: "libraries/quick.test.ts", distance: 3 },
    { file: "tests/e2e/other.test.ts", distance: 1 },
  ];
  const seconds = new Map([["libraries/quick.test.ts", 1]]);
  const { run, notRun } = withinBudget(all, 32, (file) => seconds.get(file) ?? 10);
  assert.deepEqual(
    run.map(({ file }) => file),
    ["libraries/a.test.ts", "tests/e2e/changed.test.ts", "libraries/b.test.ts", "libraries/quick.test.ts"],
  );
  assert.deepEqual(
    notRun.map(({ file }) => file),
    ["libraries/c.test.ts", "tests/e2e/other.test.ts"],
  );
});

test("a module is tested if a test reaches it by imports", () => {
  const importers = importersOf(texts, packages);
  assert.equal(isTested("libraries/low/src/e.ts", importers), true);
  assert.equal(isTested("libraries/low/src/index.ts", importers), true, "by a namespace import");
  assert.equal(isTested("libraries/low/src/d/index.ts", importers), false);
});

test("in this repository a change of a library reaches its own tests and those of dependent simulators", () => {
  const root = new URL("../..", import.meta.url).pathname;
  const files = globSync("{libraries/base,simulators/apiserver}/src/**/*.ts", { cwd: root });
  const real = new Map(files.map((file) => [file, readFileSync(`${root}${file}`, "utf8")]));
  const found = testsOf(["libraries/base/src/exact-json.ts"], importersOf(real, workspacePackages(root)));
  assert.ok(found.some(({ file }) => file === "libraries/base/src/exact-json.test.ts"));
  assert.ok(found.some(({ file }) => file.startsWith("simulators/apiserver/")));
  assert.ok(!found.some(({ file }) => file === "libraries/base/src/abort.test.ts"));
});
