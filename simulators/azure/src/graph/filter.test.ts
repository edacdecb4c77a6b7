import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFilter } from "./filter.ts";

const objects = [
  { id: "1", appId: "aaa", displayName: "One", accountEnabled: true, servicePrincipalNames: ["aaa", "x"] },
  { id: "2", appId: "bbb", displayName: "it's two", accountEnabled: false, servicePrincipalNames: [] },
  { id: "3", appId: "ccc", displayName: "three", createdDateTime: "2026-01-02T03:04:05Z", web: { uri: "u" } },
];

const rows: Readonly<Record<string, readonly string[]>> = {
  "appId eq 'aaa'": ["1"],
  "appId eq 'AAA'": ["1"],
  "displayName eq 'it''s two'": ["2"],
  "startswith(displayName,'on')": ["1"],
  "startsWith(displayName, 'T') or endswith(displayName,'two')": ["2", "3"],
  "servicePrincipalNames/any(c:c eq 'x')": ["1"],
  "servicePrincipalNames/any(c:c eq 'y')": [],
  "servicePrincipalNames/any(c:startswith(c,'A'))": ["1"],
  "not (appId eq 'aaa')": ["2", "3"],
  "not startswith(appId,'a') and accountEnabled eq false": ["2"],
  "appId ne 'aaa'": ["2", "3"],
  "id in ('1', '3')": ["1", "3"],
  "accountEnabled eq true or appId eq 'bbb' and appId eq 'ccc'": ["1"],
  "(accountEnabled eq true or appId eq 'bbb') and id eq '2'": ["2"],
  "web/uri eq 'u'": ["3"],
  "createdDateTime ge 2026-01-01T00:00:00Z": ["3"],
  "createdDateTime lt 2026-01-01T00:00:00Z": [],
  "accountEnabled eq null": ["3"],
};

for (const [filter, ids] of Object.entries(rows)) {
  test(`the filter ${filter} finds ${ids.join(" and ") || "nothing"}`, () => {
    assert.deepEqual(
      objects.filter(parseFilter(filter)).map(({ id }) => id),
      ids,
    );
  });
}

const wrong = [
  "appId eq",
  "appId eq 'a",
  "(appId eq 'a'",
  "appId eq 'a')",
  "and",
  "appId eq 'a' and",
  "x/any(c:c eq 'a'",
  "startswith(displayName)",
  "id in ('1'",
  "a eq 'b' ; c",
  "(".repeat(100),
  "not ".repeat(100),
  `appId eq '${"x".repeat(5_000)}'`,
];

for (const filter of wrong) {
  test(`the filter ${filter.slice(0, 40)} is rejected`, () => {
    assert.throws(() => parseFilter(filter), { name: "GraphError", status: 400 });
  });
}

test("'any' in 'any' in 'any' is rejected before it uses too much CPU time", () => {
  const object = { id: "1", tags: Array.from({ length: 100 }, (_, at) => String(at)) };
  const depth = 12;
  const any = Array.from({ length: depth }, (_, at) => `tags/any(v${at}:`).join("");
  const filter = parseFilter(`${any}v0 eq 'none'${")".repeat(depth)}`);
  assert.throws(() => [object].filter(filter), {
    name: "GraphError",
    status: 400,
    message: /takes too long/,
  });
});
