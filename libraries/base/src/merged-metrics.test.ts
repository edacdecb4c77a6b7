import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeMetrics } from "./merged-metrics.ts";
import { Metrics } from "./metrics.ts";

function processMetrics(requests: number) {
  const metrics = new Metrics().includeProcess();
  const counter = metrics.counter({ name: "requests_total", help: "Requests", labels: ["verb"] });
  counter.inc({ verb: "GET" }, requests);
  metrics.gauge({ name: "busy", help: "Busy workers" }).set(requests);
  const histogram = metrics.histogram({ name: "seconds", help: "Durations", labels: ["code"] }, [0.1, 1]);
  for (let at = 0; at < requests; at++) histogram.observe({ code: "200" }, 0.5);
  return metrics;
}

const lines = (body: string, name: RegExp) => body.split("\n").filter((line) => name.test(line));

test("counters, gauges and histograms of several processes are sums", async () => {
  const parts = await Promise.all([2, 3].map((requests) => processMetrics(requests).json()));
  // Converts to JSON and back, because processes exchange metrics as JSON.
  const { body, contentType } = await mergeMetrics(JSON.parse(JSON.stringify(parts)));
  assert.match(contentType, /^text\/plain/);
  assert.deepEqual(lines(body, /^(requests_total|busy|seconds)/), [
    'requests_total{verb="GET"} 5',
    "busy 5",
    'seconds_bucket{code="200",le="0.1"} 0',
    'seconds_bucket{code="200",le="1"} 5',
    'seconds_bucket{code="200",le="+Inf"} 5',
    'seconds_sum{code="200"} 2.5',
    'seconds_count{code="200"} 5',
  ]);
  assert.equal(lines(body, /^process_resident_memory_bytes /).length, 1);
});

test("the metrics of one process are those that it exposes itself", async () => {
  const metrics = processMetrics(1);
  const names = (body: string) =>
    new Set(lines(body, /^# TYPE/).filter((line) => !/process_start_time|version_info/.test(line)));
  const merged = names((await mergeMetrics([await metrics.json()])).body);
  assert.deepEqual(
    [...names((await metrics.expose()).body)].filter((line) => !merged.has(line)),
    [],
  );
});
