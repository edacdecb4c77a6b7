import assert from "node:assert/strict";
import { test } from "node:test";
import { type Sample, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { MetricData } from "@opentelemetry/sdk-metrics";
import { OtlpExporter } from "./otlp-exporter.ts";
import { OtlpSamples } from "./otlp-samples.ts";
import { startCollector } from "./testing/collector.ts";

const sample = (value: number): Sample => ({ metric: "m", value, dimensions: {} });

function queue(take: (values: readonly unknown[]) => Promise<void>) {
  const clock = new ManualClock();
  let dropped = 0;
  const samples = new OtlpSamples({
    exporter: {
      export: (metrics: MetricData[]) =>
        take(metrics.flatMap(({ dataPoints }) => dataPoints.map(({ value }) => value))),
    },
    onDropped: (count) => {
      dropped += count;
    },
    clock,
    logger: silentLogger,
  });
  return { clock, samples, dropped: () => dropped };
}

test("samples go in batches: of what came within seconds, at once when a batch is full", async () => {
  const batches: number[] = [];
  const { clock, samples } = queue(async (values) => void batches.push(values.length));
  await using _ = samples;
  for (let at = 0; at < 3; at++) samples.send(sample(at));
  await clock.advance(4_000);
  assert.deepEqual(batches, []);
  await clock.advance(1_000);
  assert.deepEqual(batches, [3]);
  for (let at = 0; at < 5_000; at++) samples.send(sample(at));
  await clock.advance(0);
  assert.deepEqual(batches, [3, 4_096]);
  await clock.advance(5_000);
  assert.deepEqual(batches, [3, 4_096, 904]);
});

test("while the collector hangs nothing waits: what does not fit is dropped and counted, disposal ends", async () => {
  const hang = Promise.withResolvers<void>();
  let exports = 0;
  const { samples, dropped } = queue(() => {
    exports++;
    return hang.promise;
  });
  for (let at = 0; at < 50_000; at++) samples.send(sample(at));
  await new Promise(setImmediate);
  assert.equal(exports, 1);
  assert.equal(dropped(), 50_000 - 32_768);
  hang.reject(new Error("gone"));
  await samples[Symbol.asyncDispose]();
  assert.equal(dropped(), 50_000);
});

test("a batch that the collector refuses is counted, and the next one is sent", async () => {
  await using collector = await startCollector();
  await using exporter = new OtlpExporter({
    url: `${collector.url}/v1/metrics`,
    service: "monitor",
    version: "1",
    location: "eastus",
  });
  const clock = new ManualClock();
  const lost = Promise.withResolvers<number>();
  await using samples = new OtlpSamples({
    exporter,
    onDropped: lost.resolve,
    clock,
    logger: silentLogger,
  });
  collector.respondWith(400);
  samples.send(sample(1));
  await clock.advance(5_000);
  assert.equal(await lost.promise, 1);
  collector.respondWith(200);
  samples.send(sample(2));
  await samples[Symbol.asyncDispose]();
  const values = collector
    .metrics("/v1/metrics")
    .flatMap(({ metric }) => metric.gauge?.dataPoints?.map(({ asDouble }) => asDouble));
  assert.deepEqual(values, [2]);
});
