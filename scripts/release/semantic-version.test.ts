import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions, parseVersion } from "./semantic-version.ts";

test("versions in precedence order of Semantic Versioning compare as older", () => {
  const ordered = [
    ...["0.1.0", "0.2.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2"],
    ...["1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.9.0", "1.10.0", "10.0.0"],
  ];
  for (const [at, older] of ordered.entries())
    for (const newer of ordered.slice(at + 1)) {
      const [a, b] = [parseVersion(older), parseVersion(newer)];
      assert.ok(a && b);
      assert.ok(compareVersions(a, b) < 0, `${older} ${newer}`);
      assert.ok(compareVersions(b, a) > 0, `${newer} ${older}`);
      assert.equal(compareVersions(a, a), 0);
    }
});

test("strings that are not semantic versions are rejected", () => {
  for (const text of [
    "",
    "1",
    "1.2",
    "v1.2.3",
    "01.2.3",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3-a..b",
    "1.2.3+1",
    "1.2.3\n",
  ])
    assert.equal(parseVersion(text), undefined, JSON.stringify(text));
});
