import assert from "node:assert/strict";
import { test } from "node:test";
import { checkVersion } from "./version.ts";

for (const version of ["unknown", "3f1c2ab-dirty", "dirty", "", "a/b", "v1.", "-1", "x".repeat(41)]) {
  test(`the version '${version}' is not deployed`, () =>
    assert.throws(() => checkVersion(version), { code: "UndeployableVersion" }));
}

for (const version of ["3f1c2ab", "1.2.3", "v20261122.1", "a"]) {
  test(`the version '${version}' is deployed`, () => checkVersion(version));
}
