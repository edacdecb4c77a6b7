import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { installedVersion, isBefore, isUpgrading, parseReleaseVersion } from "./cluster-version.ts";

const withStatus = (status: Readonly<Record<string, unknown>>) => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterVersion",
  metadata: { name: "version" },
  status,
});
const withHistory = (...history: readonly unknown[]) => withStatus({ history });

for (const [name, clusterVersion, upgrading] of [
  ["the last entry completed", withHistory({ state: "Completed" }, { state: "Partial" }), false],
  ["the last entry partial", withHistory({ state: "Partial" }, { state: "Completed" }), true],
  ["no history", withHistory(), false],
  ["a history that is no list", withStatus({ history: "4.19.24" }), false],
  ["an entry without a state", withHistory({}), true],
  [
    "acceptance 10: Progressing with a completed history",
    withStatus({ history: [{ state: "Completed" }], conditions: [{ type: "Progressing", status: "True" }] }),
    false,
  ],
] as const)
  test(`${name}: ${upgrading ? "upgrading" : "idle"}`, () =>
    assert.equal(isUpgrading(clusterVersion), upgrading));

test("the installed version is the last completed one, or the one that is being installed", () => {
  const upgrading = withHistory(
    { state: "Partial", version: "4.20.1" },
    { state: "Completed", version: "4.19.24" },
    { state: "Completed", version: "4.18.30" },
  );
  assert.deepEqual(installedVersion(upgrading), [4, 19, 24]);
  assert.deepEqual(installedVersion(withHistory({ state: "Partial", version: "4.20.1" })), [4, 20, 1]);
});

for (const version of [undefined, 4, "", "4.19", "4.19.x", "v4.19.24"])
  test(`the version ${JSON.stringify(version)} is unknown`, () =>
    assert.throws(() => installedVersion(withHistory({ state: "Completed", version })), {
      message: "unknown cluster version",
    }));

test("versions are ordered component by component, regardless of their suffix", () => {
  const part = fc.nat(200);
  const version = fc.tuple(part, part, part);
  const numberOf = ([major, minor, patch]: readonly number[]) =>
    (major ?? 0) * 1e6 + (minor ?? 0) * 1e3 + (patch ?? 0);
  fc.assert(
    fc.property(version, version, (one, other) => {
      const [a, b] = [parseReleaseVersion(one.join(".")), parseReleaseVersion(`${other.join(".")}-rc.1`)];
      assert.ok(a && b);
      assert.equal(isBefore(a, b), numberOf(one) < numberOf(other));
    }),
  );
});
