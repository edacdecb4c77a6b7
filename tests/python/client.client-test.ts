/** Tests the wheel of clients/python together with PyPI's client. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BuiltWheel, clientsDirectory, python } from "./support/python.ts";

const directory = join(clientsDirectory, "python");

test("the wheel is marked as typed, and has the behaviour of PyPI's client", async () => {
  using wheel = await BuiltWheel.build("python");
  assert.ok(existsSync(join(wheel.installed, "keelson/mgmt/redhatopenshift/py.typed")));
  const { stdout } = await python(["-m", "pytest", "-q", "tests"], {
    cwd: directory,
    environment: { PYTHONPATH: wheel.installed },
  });
  assert.match(stdout, /^\d{2,} passed/m);
});

test("its types and those of its tests are without errors", async () => {
  const { stdout } = await python(["-m", "mypy", "--cache-dir", "/dev/null"], { cwd: directory });
  assert.match(stdout, /^Success: no issues found/m);
});
