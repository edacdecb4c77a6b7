import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { test } from "node:test";
import { Metrics, silentLogger, systemClock } from "@keelson/base";
import { startCollector } from "./otlp/testing/collector.ts";
import { startClusterFigures, startTelemetry, type TelemetryOptions } from "./telemetry.ts";

const options = (config: TelemetryOptions["config"], metrics = new Metrics()): TelemetryOptions => ({
  config,
  metrics,
  location: "eastus",
  version: "1.2.3",
  service: "rp",
  clock: systemClock,
  logger: silentLogger,
});

test("metrics of the service and of the process are sent to statsd with the dimensions of the process", async () => {
  const receiver = createSocket("udp4");
  await new Promise<void>((resolve) => receiver.bind(0, "127.0.0.1", resolve));
  const wanted = new Set(["client.azure.count", "client.azure.errors", "process_resident_memory_bytes"]);
  const seen = new Map<string, string>();
  const all = new Promise<void>((resolve) => {
    receiver.on("message", (bytes) => {
      const line = bytes.toString();
      const name = /"Metric":"([^"]+)"/.exec(line)?.[1] ?? "";
      if (wanted.has(name)) seen.set(name, line);
      if (seen.size === wanted.size) resolve();
    });
  });
  const metrics = new Metrics().includeProcess();
  const address = `udp:127.0.0.1:${receiver.address().port}`;
  const telemetry = await startTelemetry(
    options(
      {
        statsd: {
          address,
          format: "geneva",
          account: "a",
          namespace: "n",
          clusters: { account: "c", namespace: "m" },
        },
      },
      metrics,
    ),
  );
  telemetry.onAzureRequest({ client: "microsoft.compute", code: "429", durationMs: 12 });
  await all;
  await telemetry[Symbol.asyncDispose]();
  receiver.close();
  const counted = seen.get("client.azure.count") ?? "";
  assert.match(
    counted,
    /^\{"Metric":"client.azure.count","Account":"a","Namespace":"n","Dims":\{"client":"microsoft.compute","code":"429","hostname":"[^"]*","location":"eastus","service":"rp","version":"1.2.3"\},"TS":"[\dT:.-]{23}"\}:1\|g\n$/,
  );
  assert.match(
    (await metrics.expose()).body,
    /client_azure_errors_total\{client="microsoft.compute",code="429"\} 1/,
  );
});

test("metrics about clusters are sent to a separate account, with the dimensions of the region", async () => {
  const receiver = createSocket("udp4");
  await new Promise<void>((resolve) => receiver.bind(0, "127.0.0.1", resolve));
  const line = new Promise<string>((resolve) => receiver.once("message", (bytes) => resolve(`${bytes}`)));
  const statsd = {
    address: `udp:127.0.0.1:${receiver.address().port}`,
    format: "geneva" as const,
    account: "a",
    namespace: "n",
    clusters: { account: "c", namespace: "m" },
    environment: "int",
  };
  await using figures = await startClusterFigures({ ...options({ statsd }), onDropped: () => undefined });
  figures.send({ metric: "m", value: 5, dimensions: { location: "theirs", name: "x" }, isFraction: true });
  assert.match(
    await line,
    /^\{"Metric":"m","Account":"c","Namespace":"m","Dims":\{"Environment":"int","location":"eastus","name":"x"\},"TS":"[\dT:.-]{23}"\}:5\.000000\|f\n$/,
  );
  receiver.close();
});

test("readings of encryption keys are counted, failures from zero", async () => {
  const metrics = new Metrics();
  await using telemetry = await startTelemetry(options({}, metrics));
  const shown = async () => (await metrics.expose()).body.match(/^encryption_key_readings_total.*$/gm);
  const counts = (read: number, failed: number) => [
    `encryption_key_readings_total{outcome="read"} ${read}`,
    `encryption_key_readings_total{outcome="failed"} ${failed}`,
  ];
  assert.deepEqual(await shown(), counts(0, 0));
  telemetry.onKeyReading("failed");
  assert.deepEqual(await shown(), counts(0, 1));
});

test("spans go to a collector as OTLP when they ended, at the latest with the process", async () => {
  await using collector = await startCollector();
  const telemetry = await startTelemetry(
    options({ traces: { url: `${collector.url}/v1/traces`, sampleRatio: 1 } }),
  );
  let header: string | undefined;
  await telemetry.tracing.span("outer", { attributes: { "keelson.cluster.id": "x" } }, async () => {
    header = telemetry.tracing.traceParent;
    await telemetry.tracing.span("inner", {}, async () => undefined);
  });
  await telemetry[Symbol.asyncDispose]();
  assert.match(header ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const sent = JSON.stringify(collector.bodies("/v1/traces"));
  for (const text of ["outer", "inner", "keelson.cluster.id", "keelson-rp", "1.2.3", "eastus"])
    assert.ok(sent.includes(text), text);
});

test("without a receiver, metrics are only counted and spans are not created", async () => {
  await using telemetry = await startTelemetry(options({}));
  assert.equal(telemetry.tracing.start("x"), undefined);
  telemetry.onAzureRequest({ client: "c", code: "200", durationMs: 1 });
});

test("metrics are sent to an OpenTelemetry collector: counters as sums, metrics about clusters under their own names", async () => {
  await using collector = await startCollector();
  const metrics = new Metrics();
  const config = { metrics: { url: `${collector.url}/v1/metrics`, environment: "int" } };
  {
    await using telemetry = await startTelemetry(options(config, metrics));
    telemetry.onAzureRequest({ client: "microsoft.compute", code: "429", durationMs: 12 });
    await using figures = await startClusterFigures({ ...options(config), onDropped: telemetry.onDropped });
    figures.send({ metric: "node.count", value: 3, dimensions: { role: "master", resourceId: "/x" } });
  }
  const sent = collector.metrics("/v1/metrics");
  const nodes = sent.find(({ metric }) => metric.name === "node.count");
  assert.deepEqual(
    nodes?.metric.gauge?.dataPoints?.map(({ asDouble, attributes }) => ({ asDouble, attributes })),
    [
      {
        asDouble: 3,
        attributes: [
          { key: "role", value: { stringValue: "master" } },
          { key: "resourceId", value: { stringValue: "/x" } },
        ],
      },
    ],
  );
  for (const [key, value] of Object.entries({
    "service.name": "keelson-rp",
    "service.version": "1.2.3",
    "cloud.region": "eastus",
    "deployment.environment.name": "int",
  }))
    assert.ok(
      nodes?.resource.some((each) => each.key === key && each.value.stringValue === value),
      key,
    );
  for (const key of ["service.instance.id", "host.name"])
    assert.ok(
      nodes?.resource.some((each) => each.key === key && each.value.stringValue),
      key,
    );
  const failures = sent.findLast(({ metric }) => metric.name === "client_azure_errors_total")?.metric.sum;
  assert.equal(failures?.isMonotonic, true);
  assert.equal(failures?.aggregationTemporality, 2);
  assert.equal(failures?.dataPoints?.[0]?.asDouble, 1);
  const durations = sent.findLast(({ metric }) => metric.name === "client_azure_duration_seconds")?.metric;
  assert.deepEqual(durations?.histogram?.dataPoints?.[0]?.bucketCounts, [1, 0, 0, 0, 0, 0, 0, 0]);
});
