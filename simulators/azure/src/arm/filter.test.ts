import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filterTerms, hasFilterCall } from "./filter.ts";

describe("filters of lists", () => {
  const rows: readonly (readonly [filter: string, terms: Record<string, string>])[] = [
    ["roleName eq 'Owner' and type eq 'It''s'", { rolename: "Owner", type: "It's" }],
    ["atScope() and assignedTo('me')", { assignedto: "me" }],
    ["tags/x eq 'y'", { "tags/x": "y" }],
    ["__proto__ eq 'y'", { ["__proto__"]: "y" }],
    ["a eq 'open", {}],
  ];
  for (const [filter, terms] of rows) {
    test(filter, () => assert.deepEqual([...filterTerms(filter)], Object.entries(terms)));
  }

  test("calls are found by their names", () => {
    assert.equal(hasFilterCall("atScope() and x eq 'y'", "atScope"), true);
    assert.equal(hasFilterCall("notAtScope()", "atScope"), false);
  });

  test("long words are parsed once, not from each of their letters", () => {
    const startedAt = performance.now();
    for (const text of ["a".repeat(500_000), "a ".repeat(250_000), `a eq '${"b eq '".repeat(100_000)}`]) {
      filterTerms(text);
    }
    // An implementation with quadratic run time would take minutes.
    assert.ok(performance.now() - startedAt < 20_000);
  });
});
