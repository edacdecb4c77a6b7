import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Evaluation } from "./evaluate.ts";
import { parseQuery } from "./parse.ts";
import type { Labels, Series } from "./series.ts";

const minuteMs = 60_000;
const now = 100 * minuteMs;

const constant = (labels: Labels, value: number): Series => ({ labels, at: () => value });
/** Returns a counter that has increased at a constant rate since 1970. */
const rising = (labels: Labels, perSecond: number): Series => ({
  labels,
  at: (ms) => (ms / 1_000) * perSecond,
});
const requests = (code: string, verb: string, perSecond: number) =>
  rising(
    { __name__: "apiserver_request_total", job: "apiserver", code, verb, instance: `a${code}` },
    perSecond,
  );
const bucket = (le: string, perSecond: number) => rising({ __name__: "d_bucket", le, pod: "p" }, perSecond);

const series = [
  constant({ __name__: "up", job: "a", instance: "1" }, 1),
  constant({ __name__: "up", job: "a", instance: "2" }, 0),
  constant({ __name__: "up", job: "b", instance: "1" }, 1),
  requests("200", "GET", 10),
  requests("404", "GET", 2),
  requests("500", "GET", 1),
  requests("500", "PUT", 0.5),
  bucket("0.1", 50),
  bucket("0.2", 90),
  bucket("+Inf", 100),
  // Counter that was reset two and a half minutes ago.
  {
    labels: { __name__: "reset" },
    at: (ms: number) => ((ms - (ms > now - 150_000 ? now - 150_000 : 0)) / 1_000) * 2,
  },
  { labels: { __name__: "gone" }, at: (ms: number) => (ms < now - 10 * minuteMs ? 1 : undefined) },
  { labels: { __name__: "lately" }, at: (ms: number) => (ms < now - 2 * minuteMs ? 7 : undefined) },
];

/** Evaluates a query and returns the sorted samples in the form `{a="1"} 2`. */
function evaluated(query: string): readonly string[] | number {
  const value = new Evaluation(series).at(parseQuery(query), now);
  if (typeof value === "number") return value;
  const shown = (labels: Labels) =>
    Object.entries(labels)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => `${name}=${each}`)
      .join(",");
  return value.map(({ labels, value: each }) => `${shown(labels)} ${Number(each.toFixed(6))}`).sort();
}

const cases: readonly (readonly [query: string, expected: readonly string[] | number])[] = [
  ['up{job="a"}', ["__name__=up,instance=1,job=a 1", "__name__=up,instance=2,job=a 0"]],
  ['up{job!="a"}', ["__name__=up,instance=1,job=b 1"]],
  ['up{job=~"a|x",instance!~"2"}', ["__name__=up,instance=1,job=a 1"]],
  ['{__name__="up",job="b"}', ["__name__=up,instance=1,job=b 1"]],
  ["sum by (job) (up)", ["job=a 1", "job=b 1"]],
  ["sum(up) by (job)", ["job=a 1", "job=b 1"]],
  ["count without (instance) (up)", ["job=a 2", "job=b 1"]],
  ["avg(up)", [" 0.666667"]],
  ["topk(1, sum by (job) (up + 1))", ["job=a 3"]],
  ["quantile(0.5, up)", [" 1"]],
  [
    'sum(rate(apiserver_request_total{job="apiserver",code=~"[45].."}[10m])) by (code, verb)',
    ["code=404,verb=GET 2", "code=500,verb=GET 1", "code=500,verb=PUT 0.5"],
  ],
  [
    "increase(apiserver_request_total{code='404'}[5m])",
    ["code=404,instance=a404,job=apiserver,verb=GET 600"],
  ],
  ["irate(apiserver_request_total{code='404'}[5m])", ["code=404,instance=a404,job=apiserver,verb=GET 2"]],
  ["histogram_quantile(0.95, sum(rate(d_bucket[5m])) by (le))", [" 0.2"]],
  ["histogram_quantile(0.5, sum(rate(d_bucket[5m])) by (le))", [" 0.1"]],
  ["histogram_quantile(0.7, sum(rate(d_bucket[5m])) by (le))", [" 0.15"]],
  [
    "sum(rate(apiserver_request_total{code='500'}[5m])) by (verb) / sum(rate(apiserver_request_total{code='200'}[5m])) by (verb)",
    ["verb=GET 0.1"],
  ],
  ["up / on(instance, job) up", ["instance=1,job=a 1", "instance=1,job=b 1", "instance=2,job=a NaN"]],
  ["up == 0", ["__name__=up,instance=2,job=a 0"]],
  ["up{job='b'} == bool 0", ["instance=1,job=b 0"]],
  ["3 > bool 2", 1],
  ["2 ^ 3 - -1", 9],
  ["1h", 3_600],
  ["time()", now / 1_000],
  ["up{job='a'} and up == 1", ["__name__=up,instance=1,job=a 1"]],
  ["up{job='a'} unless up == 1", ["__name__=up,instance=2,job=a 0"]],
  ["up{job='b'} or vector(5)", [" 5", "__name__=up,instance=1,job=b 1"]],
  ["absent(nothing)", [" 1"]],
  ["clamp_max(up, 0.5) * 2", ["instance=1,job=a 1", "instance=1,job=b 1", "instance=2,job=a 0"]],
  ["gone", []],
  ["lately", ["__name__=lately 7"]],
  ["gone offset 11m", ["__name__=gone 1"]],
];

for (const [query, expected] of cases)
  test(`evaluates ${query}`, () => assert.deepEqual(evaluated(query), expected));

test("a counter that began again has risen all the same", () => {
  const value = evaluated("rate(reset[5m])");
  assert.ok(Array.isArray(value));
  const rate = Number(value[0]?.trim());
  assert.ok(rate > 1.5 && rate < 2.5, `${rate}`);
});

const refused: readonly (readonly [query: string, message: RegExp])[] = [
  ["", /no expression found/],
  ["sum(up) +\n  up[", /^2:6: parse error: unexpected input$/],
  ["sum(", /parse error/],
  ["up[5m]", /a range of samples is not a value/],
  ["rate(up)", /accepts one range/],
  ["{}", /at least one non-empty matcher/],
  ['up{job=~"("}', /not a regular expression/],
  ["up * on(job) group_left up", /group_left/],
  ["day_of_week(up)", /not supported/],
  ["max_over_time(up[5m:1m])", /not supported|takes one range/],
  [`${"(".repeat(200)}up${")".repeat(200)}`, /nested too deeply/],
  [`up + ${"1 + ".repeat(3_000)}1`, /longer than/],
  ["2 > 1", /BOOL/],
  ["up + on(job) up", /duplicate series|multiple matches/],
];
for (const [query, message] of refused)
  test(`rejects ${query.slice(0, 60) || "an empty query"}`, () =>
    assert.throws(() => evaluated(query), { code: "BadQuery", message }));

test("a query that reads too many samples is rejected", () => {
  const many = Array.from({ length: 2_000 }, (_, index) => constant({ __name__: "m", i: `${index}` }, 1));
  assert.throws(() => new Evaluation(many).at(parseQuery("sum(rate(m[8w]))"), now), {
    code: "BadQuery",
    message: /too many samples/,
  });
});

test("any query is evaluated or rejected as a bad query", () => {
  const word = fc.constantFrom(
    "up",
    "sum",
    "rate",
    "(",
    ")",
    "[5m]",
    "by",
    "{",
    "}",
    "job",
    "=",
    '"a"',
    "/",
    "-",
    "1",
    "offset",
    ",",
    "or",
    "le",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 14 }), (words) => {
      try {
        evaluated(words.join(" "));
      } catch (error) {
        assert.equal(error instanceof Error && "code" in error && error.code, "BadQuery", String(error));
      }
    }),
    { numRuns: 500 },
  );
});
