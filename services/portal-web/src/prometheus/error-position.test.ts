import assert from "node:assert/strict";
import { test } from "node:test";
import { errorPosition } from "./error-position.ts";

const prefix = 'invalid parameter "query": ';

test("the position of a parse error is marked below the query", () => {
  assert.equal(errorPosition("up{", `${prefix}1:4: parse error: unexpected end of input`), "up{\n   ^");
  assert.equal(
    errorPosition("sum(\n  up)) by", `${prefix}2:6: parse error: unexpected ")"`),
    "  up)) by\n     ^",
  );
});

test("only the surroundings of the position in a long query are shown", () => {
  const query = `${"a".repeat(500)}{${"b".repeat(500)}`;
  const shown = errorPosition(query, "1:501: parse error: x");
  assert.equal(shown, `${"a".repeat(60)}{${"b".repeat(59)}\n${" ".repeat(60)}^`);
});

test("errors without a position in the query have no mark", () => {
  for (const message of ["query timed out", "1:99: parse error", "9:1: parse error", "0:0: parse error"])
    assert.equal(errorPosition("up", message), undefined, message);
});
