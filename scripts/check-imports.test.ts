import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { checkRepository, wrongImports } from "./check-imports.ts";
import { type DirectoryRows, directoryRows, forbiddenByRows } from "./package-rows.ts";
import { workspacePackages } from "./workspace/packages.ts";

const root = new URL("..", import.meta.url).pathname;
const packages = workspacePackages(root);

test("no package imports from a row above its own", () => {
  assert.deepEqual(checkRepository(root), []);
});

const cases = [
  {
    name: "an arrow up",
    path: "libraries/base/src/a.ts",
    text: 'import { x } from "@keelson/arm";',
    wrong: /not below libraries\/base/,
  },
  {
    name: "services import each other",
    path: "services/frontend/src/a.ts",
    text: 'import "@keelson/backend";',
    wrong: /not below services\/frontend/,
  },
  {
    name: "product code imports a simulator",
    path: "libraries/cluster/src/a.ts",
    text: 'await import("@keelson/sim-azure");',
    wrong: /only the program and tests/,
  },
  {
    name: "a simulator imports product code",
    path: "simulators/azure/src/a.ts",
    text: 'import "@keelson/model";',
    wrong: /may import only/,
  },
  {
    name: "an SDK imports from the service",
    path: "clients/typescript/src/a.ts",
    text: 'import "@keelson/arm";',
    wrong: /no row/,
  },
  {
    name: "a relative path leaves the package",
    path: "libraries/arm/src/a.ts",
    text: 'import "../../base/src/log.ts";',
    wrong: /leaves the package/,
  },
  {
    name: "a kernel imports a provider",
    path: "simulators/azure/src/arm/router.ts",
    text: 'import type { A } from "../network/a.ts";',
    wrong: /simulators\/azure\/src\/arm may import only/,
  },
  {
    name: "an undeclared dependency",
    path: "libraries/arm/src/a.ts",
    text: 'import "fastify";',
    wrong: /does not depend on fastify/,
  },
  {
    name: "product code imports test support",
    path: "libraries/model/src/a.ts",
    text: 'import "@keelson/database/testing";',
    wrong: /test support/,
  },
];
const forTests = [
  "node:test",
  "node:assert/strict",
  "fast-check",
  "./testing/world.ts",
  "../testing/index.ts",
  "./testing.ts",
  "./a.test.ts",
  "./a.long-test.ts",
];
for (const specifier of forTests) {
  cases.push({
    name: `product code imports ${specifier}`,
    path: "libraries/model/src/rules/a.ts",
    text: `import "${specifier}";`,
    wrong: /test support/,
  });
}
for (const { name, path, text, wrong } of cases) {
  test(`names the wrong arrow: ${name}`, () => {
    const found = wrongImports([{ path, text }], packages);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", wrong);
  });
}

for (const ending of ["test.ts", "client-test.ts", "long-test.ts"])
  test(`tests that end with ${ending} may import anything declared in the workspace`, () => {
    const path = `libraries/cluster/src/a.${ending}`;
    assert.deepEqual(wrongImports([{ path, text: 'import "@keelson/sim-azure";' }], packages), []);
  });

const directories: DirectoryRows = [["."], ["http", "http/*", "shell"], ["codec", "http/base"]];
const directoryCases = [
  { name: "a file of the same directory", from: "http", to: "http", why: undefined },
  { name: "a directory below", from: "http/verbs", to: "codec", why: undefined },
  { name: "a directory below from the root", from: ".", to: "http/verbs", why: undefined },
  { name: "a directory above", from: "codec", to: "http", why: /http is not below directory codec/ },
  { name: "the root", from: "codec", to: ".", why: /\. is not below/ },
  { name: "a directory of the same row", from: "http", to: "shell", why: /not below/ },
  { name: "a directory inside it, of the same row", from: "http", to: "http/verbs", why: /not below/ },
  { name: "a neighbour named by one pattern", from: "http/a", to: "http/b", why: /not below/ },
  { name: "a directory that a row below the pattern names", from: "http/a", to: "http/base", why: undefined },
  { name: "a directory without a row", from: "http", to: "other", why: /other has no row/ },
  {
    name: "a directory two levels below a pattern",
    from: "http/a/b",
    to: "codec",
    why: /http\/a\/b has no row/,
  },
];
for (const { name, from, to, why } of directoryCases) {
  test(`directory rows ${why ? "reject" : "accept"} an import of ${name}`, () => {
    const found = forbiddenByRows(directories, from, to);
    if (why) assert.match(found ?? "", why);
    else assert.equal(found, undefined);
  });
}

test("a package with directories has rows for them", () => {
  const sources = globSync("{cmd,services,operators,libraries,simulators,clients}/*/src/*/**/*.{ts,tsx}", {
    cwd: root,
  });
  const folders = sources
    .filter((path) => path.split("/")[3] !== "testing")
    .map((path) => path.split("/").slice(0, 2).join("/"));
  // Packages without rows of directories. The directories of these packages may import each other.
  const withoutRows = new Set(["simulators/azure"]);
  assert.deepEqual(
    [...new Set(folders)].filter((directory) => !(directory in directoryRows) && !withoutRows.has(directory)),
    [],
  );
});

test("each directory of a package has at most one row", () => {
  for (const [directory, own] of Object.entries(directoryRows)) {
    const names = own.flat();
    assert.equal(new Set(names).size, names.length, directory);
  }
});
