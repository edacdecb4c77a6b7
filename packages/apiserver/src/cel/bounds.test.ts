import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CostBudget, compileExpression, fromJson, toJson } from "./index.ts";
import { dyn } from "./type.ts";

const self = {
  list: Array.from({ length: 3_000 }, (_, at) => at),
  texts: Array.from({ length: 2_000 }, (_, at) => `text-${at}`),
  long: "a".repeat(100_000),
};

function run(source: string, budget = new CostBudget()) {
  const compiled = compileExpression(source, { variables: { self: dyn } });
  if (compiled.kind === "invalid") return compiled;
  return compiled.program.evaluate({ self: fromJson(self) }, budget);
}

/** Without a budget these would take minutes, or all memory; a busy machine takes its time for the rest. */
const soonMs = 10_000;

for (const source of [
  "self.list.all(a, self.list.all(b, a != b || a == b))",
  "self.list.map(x, self.long + self.long).size() > 0",
  "self.list.all(x, !self.long.matches('(a*)*b'))",
  "self.list.all(x, self.long.replace('a', 'bbbbbbbbbb').size() > 0)",
  "self.list.all(x, self.list == self.list)",
  "self.list.all(x, self.long.findAll('a').size() > 0)",
  "self.list.all(x, '%s'.format([self.list]) != '')",
  "self.texts.all(x, self.texts.exists(y, y == x + 'no') || true)",
  "self.list.all(x, sets.equivalent(self.list, self.list))",
  "self.list.all(x, self.long.split('').size() > 0)",
]) {
  test(`${source} ends soon, because it costs too much`, () => {
    const started = performance.now();
    assert.deepEqual(run(source), { kind: "cost-exceeded", of: "expression" });
    assert.ok(performance.now() - started < soonMs);
  });
}

test("expressions share a budget, and the last of it says so", () => {
  const budget = new CostBudget(2_500_000);
  const source = "self.list.all(a, self.list.all(b, true))";
  const outcomes = [run(source, budget), run(source, budget), run(source, budget)];
  assert.deepEqual(
    outcomes.map((each) => each.kind === "cost-exceeded" && each.of),
    ["expression", "expression", "budget"],
  );
});

for (const [what, source] of [
  ["parentheses", `${"(".repeat(10_000)}1${")".repeat(10_000)}`],
  ["sums", `1${"+1".repeat(10_000)}`],
  ["lists", "[".repeat(10_000)],
  ["maps", "{".repeat(10_000)],
  ["selections", `self${".a".repeat(10_000)}`],
  ["macros", `${"self.list.map(x,".repeat(1_000)}1${")".repeat(1_000)}`],
  ["characters", `'${"x".repeat(200_000)}'`],
] as const) {
  test(`an expression of ten thousand ${what} is refused`, () => {
    const started = performance.now();
    const outcome = compileExpression(source, { variables: { self: dyn } });
    assert.ok(outcome.kind === "invalid", what);
    assert.ok(performance.now() - started < soonMs);
  });
}

test("a chain of ten thousand ands is fine, as it nests nothing", () => {
  assert.deepEqual(run(`true${" && true".repeat(10_000)}`), { kind: "value", value: true });
});

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** What 64 bits make of a result. */
function expected(value: bigint): unknown {
  return value < -(2n ** 63n) || value >= 2n ** 63n
    ? { kind: "error", message: "integer overflow" }
    : { kind: "value", value };
}

test("sums, differences and products of ints are exact, or overflow", () => {
  fc.assert(
    fc.property(int64, int64, (a, b) => {
      assert.deepEqual(run(`(${a}) + (${b})`), expected(a + b));
      assert.deepEqual(run(`(${a}) - (${b})`), expected(a - b));
      assert.deepEqual(run(`(${a}) * (${b})`), expected(a * b));
      if (b !== 0n) assert.deepEqual(run(`(${a}) / (${b})`), expected(a / b));
      if (b !== 0n) assert.deepEqual(run(`(${a}) % (${b})`), expected(a % b));
    }),
  );
});

test("texts of letters match simple patterns as JavaScript has it", () => {
  const letters = fc.stringMatching(/^[abc]{0,8}$/);
  const piece = fc.constantFrom("a", "b", "[ab]", "(a|bc)", ".", "[^c]");
  const repeat = fc.constantFrom("", "*", "+", "?", "{1,2}");
  const pattern = fc.array(
    fc.tuple(piece, repeat).map((each) => each.join("")),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(letters, pattern, (text, pieces) => {
      const source = `^${pieces.join("")}$`;
      assert.deepEqual(run(`'${text}'.matches('${source}')`), {
        kind: "value",
        value: new RegExp(source).test(text),
      });
    }),
  );
});

test("JSON comes back from expressions as it went in", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const compiled = compileExpression("self == dyn(self) ? self : null", { variables: { self: dyn } });
      assert.ok(compiled.kind === "program");
      const outcome = compiled.program.evaluate({ self: fromJson(json) }, new CostBudget());
      assert.ok(outcome.kind === "value");
      assert.deepEqual(JSON.stringify(toJson(outcome.value)), JSON.stringify(json));
    }),
  );
});
