import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { normaliseTarget, originalSegments } from "./normalised-path.ts";

const cases: readonly { readonly name: string; readonly target: string; readonly expected: string }[] = [
  { name: "case is folded", target: "/Subscriptions/ABC", expected: "/subscriptions/abc" },
  { name: "slashes are collapsed", target: "//admin///versions", expected: "/admin/versions" },
  { name: "trailing slashes go", target: "/a/b//?x=1", expected: "/a/b?x=1" },
  { name: "the query stays as it is", target: "/A?api%2Dversion=X//y/", expected: "/a?api%2Dversion=X//y/" },
  { name: "needless encoding is undone", target: "/%61dmin/versions", expected: "/admin/versions" },
  { name: "needful encoding stays", target: "/a%2FB/c%20d", expected: "/a%2Fb/c%20d" },
  { name: "broken encoding is taken literally", target: "/%zz/%ff", expected: "/%25zz/%25ff" },
  { name: "encoding is undone once", target: "/%2561", expected: "/%2561" },
  { name: "a fragment is a part of the path", target: "/a#b", expected: "/a%23b" },
  { name: "the Kelvin sign is no k", target: "/%E2%84%AA", expected: "/%E2%84%AA" },
  { name: "an absolute target loses its origin", target: "https://host:1/Admin?x", expected: "/admin?x" },
  { name: "an empty path is the root", target: "https://host", expected: "/" },
];

for (const { name, target, expected } of cases) {
  test(`normalising a target: ${name}`, () => assert.equal(normaliseTarget(target), expected));
}

test("normalising never throws, is done after once, and leaves no capital letter or double slash", () => {
  const target = fc.string({ unit: "binary-ascii" }).map((text) => `/${text}`);
  const encoded = fc
    .array(fc.oneof(fc.constantFrom("%", "/", "%2f", "%2F", "%41", "%ff", "A", ".."), fc.string()))
    .map((parts) => `/${parts.join("")}`);
  fc.assert(
    fc.property(fc.oneof(target, encoded), (text) => {
      const once = normaliseTarget(text);
      assert.equal(normaliseTarget(once), once);
      const path = once.split("?", 1)[0] ?? "";
      assert.match(path.replace(/%[0-9A-F]{2}/g, ""), /^\/[^A-Z]*$/);
      assert.doesNotMatch(path, /\/\//);
    }),
  );
});

test("original segments keep the caller's case, decoded", () => {
  assert.deepEqual(originalSegments("//Sub/My%2DCluster/?q=/x"), ["Sub", "My-Cluster"]);
});
