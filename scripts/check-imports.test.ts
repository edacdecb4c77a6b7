import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRepository, wrongImports } from "./check-imports.ts";
import { workspacePackages } from "./workspace.ts";

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
