import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkBudget } from "@keelson/base";
import fc from "fast-check";
import { CostBudget, compileExpression, fromJson, toJson } from "./index.ts";
import { Meter } from "./values/meter.ts";
import { findRegex, keptRegexes } from "./values/regex.ts";
import { dyn } from "./values/type.ts";

const self = {
  list: Array.from({ length: 3_000 }, (_, at) => at),
  texts: Array.from({ length: 2_000 }, (_, at) => `text-${at}`),
  long: "a".repeat(100_000),
  map: Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, at])),
  longs: Array.from({ length: 20 }, (_, at) => `${"a".repeat(50_000)}${at}`),
};

function run(source: string, budget = new CostBudget()) {
  const compiled = compileExpression(source, { variables: { self: dyn } });
  if (compiled.kind === "invalid") return compiled;
  return compiled.program.evaluate({ self: fromJson(self) }, budget);
}

/**
 * Test timeout in milliseconds. Without a cost limit, these expressions would run for minutes or exhaust the memory. A busy
 * machine needs only a little longer than an idle one.
 */
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
  "[0].all(x, lists.range(-1000000000).size() == 0) && self.list.all(a, self.list.all(b, true))",
  "self.map.all(a, self.map.all(b, true))",
  "self.map.all(a, self.map.all(b, self.map.exists(c, true)))",
  "self.list.all(x, self.longs.min() != '' && self.longs.sort().size() > 0)",
  "self.list.all(x, self.list.map(y, self.list).distinct().size() == 1)",
  "self.long.split('').map(c, '(x|' + c + '{900})*[yz]').all(p, self.texts.all(t, !t.matches(p)))",
  "'%s'.format([self.list.map(x, self.long)]) != ''",
  "self.list.all(x, '%x'.format([self.long]) != '')",
  "self.list.all(x, (self.long + '!').matches('[ab][ab]*a[ab]{500}[yz]'))",
  "self.list.all(x, self.list.map(y, 'a=1&').join().size() > 0 && url('/?' + self.list.map(y, 'a=1&').join()).getQuery().size() == 1)",
]) {
  test(`${source} is stopped quickly by its cost`, () => {
    const started = performance.now();
    assert.deepEqual(run(source), { kind: "cost-exceeded", of: "expression" });
    assert.ok(performance.now() - started < soonMs);
  });
}

test("negative costs are rejected", () => {
  const meter = new Meter(100, new WorkBudget({ nodes: 100, bytes: 1, timeMs: 1_000 }));
  for (const amount of [-1, Number.NaN]) {
    assert.throws(() => meter.spend(amount), RangeError);
    assert.throws(() => meter.work(amount), RangeError);
    assert.throws(() => new CostBudget().take(amount), RangeError);
  }
  assert.equal(meter.spent, 0);
});

test("a range of negative length is empty and does not increase the budget", () => {
  const budget = new CostBudget();
  assert.deepEqual(run("lists.range(-1000000).size()", budget), { kind: "value", value: 0n });
  assert.ok(budget.remaining < 10_000_000);
});

test("the keys of an object are only read once per evaluation", () => {
  let readings = 0;
  const members = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, at]));
  const data = new Proxy(members, {
    ownKeys: (target) => {
      readings++;
      return Reflect.ownKeys(target);
    },
  });
  const source = "self.data.all(a, self.data.size() == 100 && self.data.exists(b, a != b))";
  const compiled = compileExpression(source, { variables: { self: dyn } });
  assert.ok(compiled.kind === "program");
  const outcome = compiled.program.evaluate({ self: fromJson({ data }) }, new CostBudget());
  assert.deepEqual(outcome, { kind: "value", value: true });
  assert.equal(readings, 1);
});

test("the work of an expression is deducted from the request's budget, which stops it", () => {
  const work = new WorkBudget({ nodes: 5_000, bytes: 1_000_000, timeMs: 60_000 });
  const budget = new CostBudget(10_000_000, 1_000_000, work);
  assert.equal(run("self.list.all(a, true)", budget).kind, "value");
  assert.ok(work.spent.nodes >= 3_000);
  assert.deepEqual(run("self.list.all(a, true)", budget), { kind: "cost-exceeded", of: "budget" });
});

test("distinct elements are found by equality", () => {
  for (const [source, expected] of [
    ["[1, 1u, 1.0, 2].distinct().size()", 2n],
    ["[{'a': 1, 'b': 2}, {'b': 2, 'a': 1}].distinct().size()", 1n],
    ["[[1, 2], [2, 1], [1, 2]].distinct().size()", 2n],
    ["['1', 1, '1'].distinct().size()", 2n],
    ["[true, 'true', null, 'null', null].distinct().size()", 4n],
    ["[duration('60s'), duration('1m'), timestamp(0)].distinct().size()", 2n],
    ["[0.0 / 0.0, 0.0 / 0.0].distinct().size()", 2n],
    ["[b'a', b'a', 'a'].distinct().size()", 2n],
    ["[optional.none(), optional.of(1), optional.of(1)].distinct().size()", 2n],
  ] as const) {
    assert.deepEqual(run(source), { kind: "value", value: expected }, source);
  }
  const budget = new CostBudget();
  assert.deepEqual(run("self.list.distinct().size()", budget), { kind: "value", value: 3_000n });
  assert.ok(10_000_000 - budget.remaining < 20_000);
});

test("the memory of cached patterns is limited", () => {
  for (let at = 0; at < 400; at++) findRegex(`${at}(x{900})*[yz]`)?.test("x".repeat(5_000));
  const { count, bytes } = keptRegexes();
  assert.ok(bytes <= 64 * 1_024 * 1_024, `${bytes}`);
  assert.ok(count < 400, `${count}`);
});

test("strings are found, split and replaced like in JavaScript", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 40 }), (short, part, from) => {
      const long = part.repeat(3) + short.repeat(20) + part + short;
      for (const each of [part, short.repeat(20), `${short}${part}`.repeat(3)]) {
        const at = Math.min(from, long.length);
        const outcome = run(
          `['${long}'.indexOf('${each}', ${at}), '${long}'.lastIndexOf('${each}')].map(x, string(x)).join()`,
        );
        assert.deepEqual(outcome, {
          kind: "value",
          value: `${long.indexOf(each, at)}${long.lastIndexOf(each)}`,
        });
        const parts = run(`'${long}'.split('${each}') == ${JSON.stringify(long.split(each))}`);
        assert.deepEqual(parts, { kind: "value", value: true });
      }
    }),
    { numRuns: 30 },
  );
});

test("expressions share a budget, and the one that exceeds it fails", () => {
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
  test(`an expression of ten thousand ${what} is rejected`, () => {
    const started = performance.now();
    const outcome = compileExpression(source, { variables: { self: dyn } });
    assert.ok(outcome.kind === "invalid", what);
    assert.ok(performance.now() - started < soonMs);
  });
}

test("a chain of ten thousand ands is accepted, because it is not nested", () => {
  assert.deepEqual(run(`true${" && true".repeat(10_000)}`), { kind: "value", value: true });
});

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Returns the result of an integer operation in 64 bits. */
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

test("strings of letters match simple patterns like in JavaScript", () => {
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

test("JSON is unchanged after conversion to and from values", () => {
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
