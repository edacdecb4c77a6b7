import assert from "node:assert/strict";
import { test } from "node:test";
import { examples, parsePromQuery, promTarget } from "./prom-query.ts";
import { parsePromResult, seriesName } from "./prom-result.ts";

const now = "2026-11-29T12:00:00Z";

test("the page's URL contains the query", () => {
  const search = new URLSearchParams({ query: "up", view: "graph", duration: "8w", end: "2026-11-01T00:00" });
  const query = parsePromQuery(search, now);
  assert.deepEqual(query, { query: "up", view: "graph", duration: "8w", endTime: "2026-11-01T00:00:00Z" });
  const [path, parameters] = promTarget(query).split("?");
  assert.equal(path, "api/v1/query_range");
  assert.deepEqual(Object.fromEntries(new URLSearchParams(parameters)), {
    query: "up",
    start: "2026-09-06T00:00:00.000Z",
    end: "2026-11-01T00:00:00Z",
    step: "20160",
  });
});

test("a query without parameters is an instant query of now", () => {
  const query = parsePromQuery(new URLSearchParams({ query: 'up{job="a b"}' }), now);
  assert.deepEqual([query.view, query.duration], ["table", "1h"]);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(promTarget(query).split("?")[1])), {
    query: 'up{job="a b"}',
    time: now,
  });
  assert.equal(new Set(examples.map((each) => each.query)).size, examples.length);
});

for (const [type, data, expected] of [
  [
    "vector",
    { resultType: "vector", result: [{ metric: { __name__: "up", job: "a" }, value: [5, "1"] }] },
    { series: [{ name: 'up{job="a"}', points: [{ ms: 5_000, value: 1 }] }], warnings: [] },
  ],
  [
    "matrix",
    { resultType: "matrix", result: [{ metric: {}, values: [[1, "NaN"], [2, "+Inf"], [3, "0.5"], 7] }] },
    {
      series: [
        {
          name: "{}",
          points: [
            { ms: 2_000, value: Number.POSITIVE_INFINITY },
            { ms: 3_000, value: 0.5 },
          ],
        },
      ],
      warnings: [],
    },
  ],
  ["scalar", { resultType: "scalar", result: [1, "3"] }, { series: [], warnings: [], text: "3" }],
  ["text of the cluster", { resultType: "vector", result: "<script>" }, { series: [], warnings: [] }],
  ["nothing", undefined, { series: [], warnings: [] }],
  [
    "elements of an unknown form",
    { resultType: "vector", result: [null, 1, {}] },
    { series: [], warnings: [] },
  ],
] as const)
  test(`a response with ${type} is read`, () => {
    assert.deepEqual(parsePromResult(data === undefined ? {} : { data }), expected);
  });

test("series have the names that Prometheus shows", () => {
  assert.equal(seriesName({ __name__: "up" }), "up");
  assert.equal(seriesName({ a: 'q"', b: "" }), '{a="q\\"", b=""}');
  assert.equal(seriesName(null), "{}");
});
