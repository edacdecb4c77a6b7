import assert from "node:assert/strict";
import { test } from "node:test";
import { limitEvaluation, limitSeries } from "./series-limit.ts";

const vector = (count: number) => ({
  status: "success" as const,
  data: { resultType: "vector", result: Array.from({ length: count }, (_, at) => ({ metric: { at } })) },
});

test("a result of 500 series is complete", () => {
  assert.equal(limitSeries(vector(500)).warnings, undefined);
});

test("a result of more series is cut, with a warning", () => {
  const { data, warnings } = limitSeries({ ...vector(501), warnings: ["own"] });
  const { result, resultType } = data as { result: unknown[]; resultType: string };
  assert.deepEqual([result.length, resultType], [500, "vector"]);
  assert.deepEqual(warnings, ["own", "The result has 501 series. The first 500 are shown."]);
});

test("other responses are unchanged", () => {
  for (const data of [undefined, ["a"], { result: "text" }]) {
    const envelope = { status: "success" as const, data };
    assert.equal(limitSeries(envelope), envelope);
  }
});

test("a series with more than 11,000 points is too large", () => {
  const matrix = (points: number) => ({
    status: "success" as const,
    data: { resultType: "matrix", result: [{ values: Array.from({ length: points }).fill([0, "1"]) }] },
  });
  assert.doesNotThrow(() => limitSeries(matrix(11_000)));
  assert.throws(() => limitSeries(matrix(11_001)), {
    code: "ClusterResponseTooLarge",
    message: "A series of the result has more than 11000 points.",
  });
});

test("a response of more than 5 MiB is too large", () => {
  const labels = (length: number) => ({ status: "success" as const, data: ["é".repeat(length / 2)] });
  assert.doesNotThrow(() => limitSeries(labels(5 * 2 ** 20 - 100)));
  assert.throws(() => limitSeries(labels(5 * 2 ** 20)), {
    code: "ClusterResponseTooLarge",
    message: /^The result is larger than 5 MiB/,
  });
});

for (const [path, search, expected] of [
  ["api/v1/query", "?query=up", "?query=up&timeout=10s"],
  ["api/v1/query_range", "?query=a%2Bb", "?query=a%2Bb&timeout=10s"],
  ["api/v1/query", "?query=up&timeout=2s", "?query=up&timeout=2s"],
  ["api/v1/query", "?query=up&timeout=1h", "?query=up&timeout=10s"],
  ["api/v1/query", "?timeout=x&query=up", "?timeout=10s&query=up"],
  ["api/v1/labels", "", ""],
] as const)
  test(`the request ${path}${search} gets the parameters ${JSON.stringify(expected)}`, () => {
    assert.equal(limitEvaluation(path, search), expected);
  });
