import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Metrics, type Sample } from "./metrics.ts";

function listening(): { readonly metrics: Metrics; readonly samples: Sample[] } {
  const metrics = new Metrics();
  const samples: Sample[] = [];
  metrics.listen((sample) => samples.push(sample));
  return { metrics, samples };
}

test("observations are exposed to Prometheus and passed to listeners under their own names", async () => {
  const { metrics, samples } = listening();
  const durations = metrics.histogram(
    {
      name: "frontend_request_duration_seconds",
      help: "requests",
      labels: ["verb", "api_version"],
      emits: [
        { metric: "frontend.count", value: "one", dimensions: { api_version: "api-version" } },
        { metric: "frontend.duration", value: "milliseconds", dimensions: { api_version: "api-version" } },
      ],
    },
    [0.1, 1],
  );
  durations.observe({ verb: "GET", api_version: "2025-07-25" }, 0.0423);
  const dimensions = { verb: "GET", "api-version": "2025-07-25" };
  assert.deepEqual(samples, [
    { metric: "frontend.count", value: 1, dimensions },
    { metric: "frontend.duration", value: 42, dimensions },
  ]);
  const { body } = await metrics.expose();
  assert.match(
    body,
    /frontend_request_duration_seconds_bucket\{le="0.1",verb="GET",api_version="2025-07-25"\} 1/,
  );
});

test("what a counter begins at zero with is there before anything is counted, whenever it became known", async () => {
  const metrics = new Metrics();
  const kinds = ["a"];
  const counter = metrics.counter({ name: "done_total", help: "h", labels: ["kind"] }, () =>
    kinds.map((kind) => ({ kind })),
  );
  const lines = async () => (await metrics.expose()).body.match(/^done_total.*/gm);
  assert.deepEqual(await lines(), ['done_total{kind="a"} 0']);
  counter.inc({ kind: "a" });
  kinds.push("b");
  assert.deepEqual(await lines(), ['done_total{kind="a"} 1', 'done_total{kind="b"} 0']);
});

test("counters and gauges emit observations; metrics without emissions emit nothing", () => {
  const { metrics, samples } = listening();
  const observed = (metric: string) => [{ metric, value: "observed" as const }];
  const busy = metrics.gauge({ name: "busy", help: "h", emits: observed("workers.count") });
  busy.inc();
  busy.inc();
  busy.dec();
  busy.set(7);
  busy.inc();
  metrics
    .counter({ name: "done", help: "h", labels: ["kind"], emits: observed("done") })
    .inc({ kind: "x" }, 3);
  metrics.counter({ name: "silent", help: "h" }).inc();
  assert.deepEqual(
    samples.map(({ metric, value, dimensions }) => [metric, value, dimensions]),
    [
      ["workers.count", 1, {}],
      ["workers.count", 2, {}],
      ["workers.count", 1, {}],
      ["workers.count", 7, {}],
      ["workers.count", 8, {}],
      ["done", 3, { kind: "x" }],
    ],
  );
});

test("a metric's name may hold the value of a label", () => {
  const { metrics, samples } = listening();
  const emits = [{ metric: "backend.{operation}.{step}.seconds", value: "observed" as const }];
  const spec = { name: "steps", help: "h", labels: ["operation", "step", "outcome"] as const, emits };
  metrics.histogram(spec, [1]).observe({ operation: "Creating", step: "ensureZone", outcome: "finished" }, 2);
  assert.deepEqual(samples, [
    { metric: "backend.Creating.ensureZone.seconds", value: 2, dimensions: { outcome: "finished" } },
  ]);
});

test("process metrics are exposed, and are samples under their names", async () => {
  const metrics = new Metrics().includeProcess();
  assert.match((await metrics.expose()).body, /process_resident_memory_bytes \d+/);
  const samples = await metrics.processSamples();
  const resident = samples.find(({ metric }) => metric === "process_resident_memory_bytes");
  assert.ok(resident && resident.value > 1_000_000);
  assert.ok(samples.every(({ metric, value }) => metric !== "" && typeof value === "number"));
});

test("event loop delays contain no sampling interval and remain between samples", async () => {
  const metrics = new Metrics().includeProcess();
  const delays = async () => {
    const samples = await metrics.processSamples();
    const found = samples.map(({ metric, value }) => [
      metric.match(/^nodejs_eventloop_lag_(\w+)_seconds$/)?.[1],
      value,
    ]);
    return new Map(
      found.filter(([statistic]) => statistic !== undefined).map(([name, value]) => [name, Number(value)]),
    );
  };
  // The mean is 0 until the first sample.
  while ((await delays()).get("mean") === 0) await setTimeout(20);
  // On a busy machine, the first samples have long delays.
  while (((await delays()).get("min") ?? 0) > 0.09) await setTimeout(20);
  // The values must not change if there is no new sample between two collections.
  for (let collection = 0; collection < 3; collection++) {
    const all = await delays();
    assert.deepEqual([...all.keys()].toSorted(), ["max", "mean", "min", "p50", "p90", "p99", "stddev"]);
    assert.ok(
      [...all.values()].every((value) => value >= 0 && value < 1e9),
      JSON.stringify([...all]),
    );
  }
});

test("a measured gauge is read when it is asked for, and forgets what is no longer there", async () => {
  const metrics = new Metrics();
  let queues = [{ labels: { name: "a" }, value: 2 }];
  metrics.measuredGauge({ name: "depth", help: "d", labels: ["name"] }, () => queues);
  assert.match((await metrics.expose()).body, /^depth\{name="a"\} 2$/m);
  queues = [{ labels: { name: "b" }, value: 1 }];
  const { body } = await metrics.expose();
  assert.match(body, /^depth\{name="b"\} 1$/m);
  assert.doesNotMatch(body, /name="a"/);
});

test("families are all metrics with their values, without those that are only exposed", async () => {
  const metrics = new Metrics();
  metrics.counter({ name: "done_total", help: "c", labels: ["kind"] }).inc({ kind: "x" }, 3);
  metrics.gauge({ name: "busy", help: "g" }).set(2);
  metrics.measuredGauge({ name: "elsewhere", help: "e", exposedOnly: true }, () => [
    { labels: {}, value: 1 },
  ]);
  const seconds = metrics.histogram({ name: "seconds", help: "h", labels: ["verb"] }, [0.5, 1]);
  for (const value of [0.1, 0.2, 0.7, 5]) seconds.observe({ verb: "GET" }, value);
  seconds.observe({ verb: "PUT" }, 1);
  assert.deepEqual(
    (await metrics.families()).map(({ series, ...family }) => ({ ...family, series: [...series] })),
    [
      {
        kind: "counter",
        name: "done_total",
        help: "c",
        series: [{ name: "done_total", labels: { kind: "x" }, value: 3 }],
      },
      { kind: "gauge", name: "busy", help: "g", series: [{ name: "busy", labels: {}, value: 2 }] },
      {
        kind: "histogram",
        name: "seconds",
        help: "h",
        series: [
          { labels: { verb: "GET" }, bounds: [0.5, 1], counts: [2, 1, 1], sum: 6, count: 4 },
          { labels: { verb: "PUT" }, bounds: [0.5, 1], counts: [0, 1, 0], sum: 1, count: 1 },
        ],
      },
    ],
  );
  assert.match((await metrics.expose()).body, /^elsewhere 1$/m);
});
