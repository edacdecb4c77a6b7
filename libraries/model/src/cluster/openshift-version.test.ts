import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions, minorVersion, parseVersion } from "./openshift-version.ts";

test("versions compare by number, not as strings or by suffix", () => {
  const ordered = ["4.9.30", "4.16.2", "4.16.10-rc.1", "4.16.11+build", "5.0.0"].map((text) =>
    parseVersion(text),
  );
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries()) {
      assert.ok(a && b);
      assert.equal(Math.sign(compareVersions(a, b)), Math.sign(i - j));
    }
  }
  const [release, candidate] = ["4.16.10", "4.16.10-rc.1"].map((text) => parseVersion(text));
  assert.ok(release && candidate);
  assert.equal(compareVersions(release, candidate), 0);
  assert.equal(minorVersion(release), "4.16");
});

for (const text of ["", "4.16", "4.16.x", "v4.16.1", "4.16.1.2", "4.16.1-", " 4.16.1"]) {
  test(`'${text}' is not a version`, () => assert.equal(parseVersion(text), undefined));
}
