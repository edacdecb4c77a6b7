import assert from "node:assert/strict";
import { test } from "node:test";
import { CostBudget, compileExpression, fromJson, toJson } from "./index.ts";
import { dyn } from "./values/type.ts";

const self = {
  name: "worker",
  replicas: 3,
  ratio: 0.5,
  tags: ["a", "b", "c"],
  labels: { app: "web", "a-b": "c" },
  empty: {},
  items: [
    { key: "x", value: 1 },
    { key: "y", value: 2 },
  ],
};

/** Evaluates an expression. Returns its result as JSON, `error: …` or `invalid: …`. */
function evaluate(source: string): unknown {
  const compiled = compileExpression(source, { variables: { self: dyn } });
  if (compiled.kind === "invalid") return `invalid: ${compiled.message}`;
  const outcome = compiled.program.evaluate({ self: fromJson(self) }, new CostBudget());
  if (outcome.kind === "value") return toJson(outcome.value);
  return outcome.kind === "error" ? `error: ${outcome.message}` : outcome.kind;
}

const rows: readonly (readonly [string, unknown])[] = [
  ["1 + 2 * 3 - 4 / 2", 5],
  ["7 % 3", 1],
  ["-7 / 2", -3],
  ["1.0 / 4.0", 0.25],
  ["9223372036854775807 + 1", "error: integer overflow"],
  ["-9223372036854775808 < 0", true],
  ["1 / 0", "error: division by zero"],
  ["5u - 6u", "error: unsigned integer overflow"],
  ["1 < 1.5 && 2u > 1", true],
  ["dyn(1) == 1.0", true],
  ["dyn('1') == 1", false],
  ["[1, 2] == [1, 2] && {'a': 1} == {'a': 1}", true],
  ["[1] + [2]", [1, 2]],
  ["2 in [1, 2]", true],
  ["'app' in self.labels", true],
  ["self.labels['a-b']", "c"],
  ["self.tags[5]", "error: index out of bounds: 5"],
  ["self.missing", "error: no such key: missing"],
  ["has(self.name) && !has(self.missing)", true],
  ["self.missing == 1 || true", true],
  ["true || self.missing == 1", true],
  ["self.missing == 1 && false", false],
  ["self.replicas > 2 ? 'many' : 'few'", "many"],
  ["self.tags.all(t, t.size() == 1)", true],
  ["self.tags.exists(t, t == 'b')", true],
  ["self.tags.exists_one(t, t == 'b')", true],
  ["self.tags.map(t, t + t)", ["aa", "bb", "cc"]],
  ["self.tags.map(t, t != 'b', t + '!')", ["a!", "c!"]],
  ["self.tags.filter(t, t > 'a')", ["b", "c"]],
  ["self.tags.all(i, t, i < 3 && t != 'z')", true],
  ["self.tags.transformList(i, t, i)", [0, 1, 2]],
  ["self.tags.transformList(i, t, i > 0, t)", ["b", "c"]],
  ["self.labels.transformMap(k, v, k + v)", { app: "appweb", "a-b": "a-bc" }],
  ["self.labels.transformMapEntry(k, v, {v: k})", { web: "app", c: "a-b" }],
  ["self.labels.all(k, k.size() > 2)", true],
  [
    "self.items.map(a, self.items.map(b, a.value * b.value))",
    [
      [1, 2],
      [2, 4],
    ],
  ],
  ["self.items.exists(x, self.tags.exists(y, y == x.key))", false],
  ["self.?missing.orValue('none')", "none"],
  ["self.?name.orValue('none')", "worker"],
  ["self.?empty.?deep.hasValue()", false],
  ["self.tags[?9].orValue('z')", "z"],
  ["self.?replicas.optMap(r, r + 1).value()", 4],
  ["[1, ?self.?missing, 2]", [1, 2]],
  ["{?'a': self.?missing, 'b': 1}", { b: 1 }],
  ["optional.of(1).or(optional.none()).value()", 1],
  ["optional.ofNonZeroValue('').hasValue()", false],
  ["'héllo😀'.size()", 6],
  ["'a,b,c'.split(',')", ["a", "b", "c"]],
  ["'a,b,c'.split(',', 2)", ["a", "b,c"]],
  ["['a', 'b'].join('-')", "a-b"],
  ["'AbC'.lowerAscii() + 'AbC'.upperAscii()", "abcABC"],
  ["'hello hello'.replace('he', 'we')", "wello wello"],
  ["'hello hello'.replace('he', 'we', 1)", "wello hello"],
  ["'tacocat'.substring(0, 4) + 'tacocat'.substring(4)", "tacocat"],
  ["' \\t x\\n'.trim()", "x"],
  ["'tacocat'.charAt(3)", "o"],
  ["'hello mellow'.indexOf('ello', 2)", 7],
  ["'hello mellow'.lastIndexOf('ello')", 7],
  ["'%s is %d, %.2f, %x, %b'.format(['a', 2, 1.005, 255, 5])", "a is 2, 1.00, ff, 101"],
  ["'%s'.format([[1, {'a': true}]])", "[1, {a: true}]"],
  ["'abc'.matches('^[a-c]+$') && !'abcd'.matches('^[a-c]+$')", true],
  ["'abc'.matches('(')", "error: error parsing regexp: invalid pattern: `(`"],
  ["'a1b22'.find('[0-9]+') + 'a1b22'.findAll('[0-9]+')[1]", "122"],
  ["[1, 2, 3].sum() + [3, 1].min() + [3, 1].max()", 10],
  ["[1, 2, 2].isSorted() && ![2, 1].isSorted()", true],
  ["[1, 2, 1].indexOf(1) + [1, 2, 1].lastIndexOf(1)", 2],
  ["sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])", true],
  ["int('42') + int(4.9) + int(2u)", 48],
  ["string(1.5) + string(2) + string(true)", "1.52true"],
  ["double('1e3')", 1000],
  ["type(1) == int && type('a') == string && type([]) == list && type(null) == null_type", true],
  ["timestamp('2023-01-02T03:04:05Z').getFullYear()", 2023],
  ["timestamp('2023-01-02T03:04:05Z') + duration('1h') == timestamp('2023-01-02T04:04:05Z')", true],
  ["timestamp('2023-01-02T03:04:05Z').getHours('America/New_York')", 22],
  ["timestamp('2023-01-02T03:04:05Z').getHours('+02:00')", 5],
  ["duration('1h30m').getMinutes()", 90],
  ["string(duration('90s'))", "90s"],
  ["duration('1m') < duration('2m')", true],
  ["r'\\d' + \"\\u0041\" + '''x\"y'''", '\\dAx"y'],
  ["b'abc' == bytes('abc')", true],
  ["size(b'\\xff')", 1],
  [
    "1 +",
    "invalid: compilation failed: ERROR: <input>:1:4: Syntax error: mismatched input <EOF> expecting an expression\n | 1 +\n | ...^",
  ],
  [
    "missing",
    "invalid: compilation failed: ERROR: <input>:1:1: undeclared reference to 'missing' (in container '')\n | missing\n | ^",
  ],
  [
    "1 + 'a'",
    "invalid: compilation failed: ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | 1 + 'a'\n | ..^",
  ],
  ["self.name + 1", "error: no such overload"],
];

for (const [source, expected] of rows) {
  test(`${source} returns ${JSON.stringify(expected)}`, () => assert.deepEqual(evaluate(source), expected));
}
