import assert from "node:assert/strict";
import { test } from "node:test";
import { coveringChecks } from "./covering-checks.ts";

const cases: readonly [file: string, check: string | undefined][] = [
  ["libraries/base/src/index.ts", "import rules"],
  ["scripts/install-az.sh", "`make test-clients`"],
  ["scripts/node.sh", "shell syntax"],
  ["tests/e2e/kubectl.client-test.ts", "`make test-clients`"],
  ["tests/chaos/everything-killed.long-test.ts", "`make test-all`"],
  ["services/portal-web/src/page.tsx", "types"],
  ["simulators/console/src/pages/app.tsx", "the console's browser tests of `make test-clients`"],
  ["clients/python/keelson/client.py", "the Python tests of `make test-clients`"],
  ["docs/database.md", "language"],
  ["operators/samples/src/settings.json", "lint"],
  [".ci/run", "the next CI run"],
  ["deploy/unknown.bin", "the generator tests of `make test`"],
  ["LICENSE", undefined],
];
for (const [file, check] of cases)
  test(`${file} is covered by ${check ?? "nothing"}`, () => {
    const checks = coveringChecks(file);
    assert.ok(check === undefined ? checks.length === 0 : checks.includes(check), checks.join(", "));
  });
