/** Tests the wheel of clients/az-extension in the Python environments of several Azure CLI versions. No service runs. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { azVersions } from "../e2e/az/support/az.ts";
import { BuiltWheel, clientsDirectory, pytestModules, python } from "./support/python.ts";

let wheel: BuiltWheel;
before(async () => {
  wheel = await BuiltWheel.build("az-extension");
});
after(() => wheel[Symbol.dispose]());

for (const version of Object.values(azVersions)) {
  test(`its validation, checks, output and repairs, with az ${version}`, async () => {
    const { stdout } = await python(["-m", "pytest", "-q", "tests"], {
      cwd: join(clientsDirectory, "az-extension"),
      program: join(clientsDirectory, "../.tools/az", version, "bin/python"),
      environment: { PYTHONPATH: `${wheel.installed}:${pytestModules}` },
    });
    assert.match(stdout, /^\d{3,} passed/m);
  });
}
