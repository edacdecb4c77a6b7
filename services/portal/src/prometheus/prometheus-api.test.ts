import assert from "node:assert/strict";
import { test } from "node:test";
import { isReadOnly } from "./read-only-api.ts";
import { seriesOf } from "./statistics.ts";

test("only read requests are forwarded", () => {
  for (const path of ["-/ready", "api/v1/query", "api/v1/label/job/values", "api/v1/status/buildinfo"])
    assert.equal(isReadOnly("GET", path), true, path);
  for (const path of [
    ...["-/reload", "-/quit", "api/v1/write", "api/v1/admin/tsdb/delete_series", "api/v1/otlp/v1/metrics"],
    ...["api/v1/status/config", "api/v1/label/a/b/values", "api/v1/query/x", "debug/pprof/heap", ""],
  ])
    assert.equal(isReadOnly("GET", path), false, path);
  assert.equal(isReadOnly("POST", "api/v1/query"), true);
  for (const path of ["-/ready", "api/v1/targets"]) assert.equal(isReadOnly("POST", path), false, path);
  assert.equal(isReadOnly("DELETE", "api/v1/series"), false);
});

test("series are called by their labels, and have points where there are numbers", () => {
  const result = [
    { metric: { code: "404", verb: "GET" }, values: [[0, "1.5"], [120, "NaN"], [240, "+Inf"], "x"] },
    { metric: {}, values: [] },
    null,
  ];
  const body = { status: "success", data: { resultType: "matrix", result } };
  const point = { timestamp: "1970-01-01T00:00:00.000Z", value: 1.5 };
  assert.deepEqual(seriesOf(body, { labels: ["code", "verb"] }), [
    { metricname: "404 GET", metricvalue: [point] },
    { metricname: "total", metricvalue: [] },
    { metricname: "total", metricvalue: [] },
  ]);
  for (const wrong of [undefined, {}, { data: {} }, { data: { result: {} } }])
    assert.throws(() => seriesOf(wrong, { labels: [] }));
});
