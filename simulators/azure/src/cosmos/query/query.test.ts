import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseQuery } from "./parse.ts";
import { queryPlan } from "./plan.ts";
import { runQuery } from "./run.ts";

const items = [
  { id: "a", n: 1, text: "x", deep: { er: true }, list: [1, 2] },
  { id: "b", n: 2, text: "xy", gone: null },
  { id: "c", n: 3, text: "z" },
  { id: "d", text: 'quoted "word"' },
];

function run(
  query: string,
  parameters: Readonly<Record<string, unknown>> = {},
  over: readonly object[] = items,
) {
  const candidates = over.map((item, sequence) => ({ item: { ...item }, sequence }));
  const named = new Map(Object.entries(parameters));
  return runQuery(parseQuery(query), named, candidates, { limit: 1_000, continuation: undefined }).results;
}

const idsWhere = (condition: string, parameters: Readonly<Record<string, unknown>> = {}) =>
  run(`SELECT VALUE c.id FROM c WHERE ${condition}`, parameters);

describe("conditions", () => {
  for (const [condition, ids] of [
    ["c.n = 2", ["b"]],
    ["c.n != 2", ["a", "c"]],
    ["NOT (c.n = 2)", ["a", "c"]],
    ["c.n >= 2 AND c.n < 3", ["b"]],
    ["c.n = 1 OR c.n = 3", ["a", "c"]],
    // Operator precedence from low to high: OR, AND, comparisons, sums.
    ["c.n = 1 OR c.n = 2 AND c.text = 'nothing'", ["a"]],
    ["c.n + 1 * 2 = 4", ["b"]],
    ["c.n - 1 = 0", ["a"]],
    ["-c.n = -3", ["c"]],
    ["c.n IN (1, 3)", ["a", "c"]],
    ["IS_DEFINED(c.n)", ["a", "b", "c"]],
    ["NOT IS_DEFINED(c.n)", ["d"]],
    ["(c.n ?? 9) > 2", ["c", "d"]],
    ["IS_NULL(c.gone)", ["b"]],
    ["c.gone = null", ["b"]],
    ["c.gone < 1", []],
    ["c.n = '2'", []],
    ["c.n < 'text'", []],
    ["STARTSWITH(c.text, 'x')", ["a", "b"]],
    ["ARRAY_CONTAINS(c.list, 2)", ["a"]],
    ['c["deep"]["er"] = true', ["a"]],
    ["c.deep.er.too.far = 1", []],
    ["c.__proto__ = null", []],
    ['c.text = "quoted \\"word\\""', ["d"]],
    ["c.text = 'quoted \"word\"'", ["d"]],
  ] as const) {
    test(condition, () => assert.deepEqual(idsWhere(condition), ids));
  }

  test("parameters are values and never parsed as query text", () => {
    assert.deepEqual(idsWhere("c.text = @text", { "@text": "x' OR true OR '" }), []);
    assert.deepEqual(idsWhere("c.text = @text", { "@text": "xy" }), ["b"]);
  });
});

describe("what is selected", () => {
  for (const [query, expected] of [
    ["SELECT TOP 1 c.id, c.n AS number, c.nowhere FROM c", [{ id: "a", number: 1 }]],
    ["SELECT VALUE c.n FROM c", [1, 2, 3]],
    ['SELECT TOP 1 VALUE {"both": [c.id, c.n]} FROM c', [{ both: ["a", 1] }]],
    ["SELECT VALUE COUNT(1) FROM c WHERE c.n > 1", [2]],
    ["SELECT VALUE c.id FROM c ORDER BY c.n DESC", ["c", "b", "a", "d"]],
    ["SELECT VALUE r.id FROM r ORDER BY r.n", ["d", "a", "b", "c"]],
  ] as const) {
    test(query, () => assert.deepEqual(run(query), expected));
  }
});

test("strings are ordered by their code points", () => {
  const texts = ["\u{10ffff}", "\ue000", "🦺", "\ud7ff", "a", ""];
  const ordered = run(
    "SELECT VALUE c.t FROM c ORDER BY c.t",
    {},
    texts.map((t) => ({ t })),
  );
  assert.deepEqual(ordered, ["", "a", "\ud7ff", "\ue000", "🦺", "\u{10ffff}"]);
});

for (const query of [
  "SELECT",
  "SELECT * FROM c WHERE",
  "SELECT * FROM c WHERE c.n == 1",
  "SELECT * FROM c ORDER BY 1",
  "SELECT * FROM c; DROP",
  "SELECT * FROM c WHERE other.n = 1",
  "SELECT * FROM c WHERE NOSUCH(c.n)",
  "SELECT * FROM c WHERE c.n = @missing",
  'SELECT * FROM c WHERE c.n = "open',
]) {
  test(`${query} is rejected with status 400`, () => assert.throws(() => run(query), { status: 400 }));
}

test("pages in any order contain each item once, despite concurrent changes to previous pages", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ n: fc.integer({ min: 0, max: 5 }) }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      (list, limit, descending) => {
        const query = parseQuery(`SELECT VALUE c.id FROM c ORDER BY c.n ${descending ? "DESC" : "ASC"}`);
        const candidates = list.map(({ n }, sequence) => ({ item: { id: sequence, n }, sequence }));
        const seen: unknown[] = [];
        let continuation: string | undefined;
        let left = candidates;
        do {
          const page = runQuery(query, new Map(), left, { limit, continuation });
          seen.push(...page.results);
          ({ continuation } = page);
          // Removes the items that the first page returned. The next page must still start at the correct position.
          left = left.filter(({ item }) => !seen.includes(item.id));
        } while (continuation !== undefined);
        assert.deepEqual([...seen].sort(), candidates.map(({ item }) => item.id).sort());
      },
    ),
  );
});

test("a query of a plan is valid and returns the data that the client merges from each partition", () => {
  const plan = queryPlan(
    parseQuery('SELECT TOP 2 c.id FROM c WHERE c.n > 0 AND c["text"] != @t ORDER BY c.n'),
  );
  assert.ok(typeof plan === "object" && plan !== null && "queryInfo" in plan);
  const { queryInfo } = plan;
  assert.ok(typeof queryInfo === "object" && queryInfo !== null && "rewrittenQuery" in queryInfo);
  const rewritten = String(queryInfo.rewrittenQuery).replace(
    "{documentdb-formattableorderbyquery-filter}",
    "true",
  );
  const withRids = items.map((item) => ({ ...item, _rid: item.id }));
  assert.deepEqual(run(rewritten, { "@t": "x" }, withRids), [
    { _rid: "b", orderByItems: [{ item: 2 }], payload: { id: "b" } },
    { _rid: "c", orderByItems: [{ item: 3 }], payload: { id: "c" } },
  ]);
});

describe("what a query may take", () => {
  for (const [name, text] of [
    ["parentheses in parentheses", `SELECT * FROM c WHERE ${"(".repeat(10_000)}1${")".repeat(10_000)}`],
    ["lists in lists", `SELECT VALUE ${"[".repeat(10_000)}`],
    ["negations of negations", `SELECT * FROM c WHERE ${"NOT ".repeat(10_000)}TRUE`],
    ["a long chain", `SELECT * FROM c WHERE c.n = 1${" OR c.n = 1".repeat(5_000)}`],
    ["an unterminated string", `SELECT * FROM c WHERE c.n = '${"x".repeat(600_000)}'`],
  ] as const) {
    test(`${name} is rejected`, () => {
      assert.throws(() => parseQuery(text), { name: "CosmosError", status: 400 });
    });
  }

  test("a condition that reads too much is rejected", () => {
    const list = Array.from({ length: 100_000 }, (_, at) => at);
    const over = Array.from({ length: 100 }, () => ({ id: "a", list }));
    const condition = Array.from({ length: 10 }, () => "ARRAY_CONTAINS(c.list, -1)").join(" OR ");
    assert.throws(
      () => run(`SELECT * FROM c WHERE ${condition}`, {}, over),
      /exceeded the maximum allowed work/,
    );
  });
});
