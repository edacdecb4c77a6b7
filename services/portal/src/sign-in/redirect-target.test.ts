import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { redirectTarget } from "./redirect-target.ts";

const paths = ["/", "/api/info?x=1", "/subscriptions/a/b#c"];
const others = [
  ...["https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)"],
  ...["/\t/evil.example", "/\n/evil.example", "/.//evil.example", "/..//evil.example", "", "evil", " /x"],
];

test("paths of the portal are unchanged, everything else becomes its first page", () => {
  for (const path of paths) assert.equal(redirectTarget(path), path);
  for (const other of others) assert.equal(redirectTarget(other), "/", other);
});

test("no string redirects to a different host", () => {
  const part = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "evil.example",
    "@",
    ":",
    "%2f",
    "%5c",
    "\t",
    "?",
    "#",
    "//",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (wanted) => {
      const base = "https://portal.example";
      assert.equal(new URL(redirectTarget(wanted), base).origin, base);
    }),
  );
});
