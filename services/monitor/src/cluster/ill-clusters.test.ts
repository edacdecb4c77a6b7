import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@keelson/base/testing/eventually";
import { allCollectors as collectors } from "../alerts/series.ts";
import { apiServerIllnesses } from "../testing/illnesses/api-server.ts";
import { documentIllnesses } from "../testing/illnesses/document.ts";
import { type Figure, failed, fault, figuresOf } from "../testing/illnesses/illness.ts";
import { machineIllnesses } from "../testing/illnesses/machines.ts";
import { platformIllnesses } from "../testing/illnesses/platform.ts";
import { installService, serviceIllnesses } from "../testing/illnesses/service.ts";
import { workloadIllnesses } from "../testing/illnesses/workloads.ts";
import { type PassOptions, passTime, SimulatedCluster } from "../testing/simulated-cluster.ts";

const illnesses = [
  ...apiServerIllnesses,
  ...documentIllnesses,
  ...serviceIllnesses,
  ...machineIllnesses,
  ...platformIllnesses,
  ...workloadIllnesses,
];

let shared: SimulatedCluster;
before(async () => {
  shared = await startCluster();
});
after(() => shared?.[Symbol.asyncDispose]());

async function startCluster(openShiftVersion?: string): Promise<SimulatedCluster> {
  const cluster = await SimulatedCluster.start(openShiftVersion);
  await installService(cluster);
  return cluster;
}

/** Returns the exact line in statsd format (Azure/ARO-RP pkg/metrics/statsd). */
function lineOf([metric, value, dimensions]: Figure): string {
  const all = {
    Environment: "test",
    location: "eastus",
    resourceGroup: "Customer",
    resourceId:
      "/subscriptions/33333333-3333-4333-8333-333333333333/resourceGroups/Customer/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo",
    resourceName: "demo",
    subscriptionId: "33333333-3333-4333-8333-333333333333",
    ...dimensions,
  };
  const dims = Object.entries(all)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => `"${name}":"${text}"`);
  const at = passTime.toISOString().slice(0, -1);
  return `{"Metric":"${metric}","Account":"account","Namespace":"clusters","Dims":{${dims.join()}},"TS":"${at}"}:${value}|g`;
}

const durationOf = (collector: string, seconds: string) =>
  lineOf(["monitor.cluster.collector.duration", 0, { collector }]).replace(/0\|g$/, `${seconds}|f`);

/** Returns all lines that one collector sent, except the line with its duration. */
function linesOf(collector: string, lines: readonly string[]): readonly string[] {
  const found = collectors.find(({ name }) => name === collector);
  assert.ok(found, `there is no collector ${collector}`);
  const metrics = Object.keys(found.metrics);
  return lines
    .filter(
      (line) =>
        metrics.some((metric) => line.startsWith(`{"Metric":"${metric}",`)) ||
        (/"monitor\.cluster\.collector\.(error|skipped)"/.test(line) &&
          line.includes(`"collector":"${collector}"`)),
    )
    .toSorted();
}

test("acceptance 4: a pass over an unhealthy API server reports only that", async () => {
  const end = await fault("api-unhealthy")(shared);
  try {
    assert.deepEqual(await shared.pass(), [
      lineOf(["apiserver.healthz.code", 1, { code: "500" }]),
      lineOf(["monitor.cluster.collector.error", 1, { collector: "emitAPIServerHealthzCode" }]),
      lineOf(["apiserver.healthz.ping.code", 1, { code: "200" }]),
      durationOf("emitAPIServerPingCode", "0.000000"),
    ]);
  } finally {
    await end();
  }
});

test("acceptance 5: a fractional metric has six decimals, also for whole values", async () => {
  const lines = await shared.pass({ stepMs: 5_000 });
  const line = durationOf("emitAPIServerHealthzCode", "5.000000");
  assert.ok(lines.includes(line), `${line} is not among\n${lines.join("\n")}`);
});

test("acceptance 9: a hanging read ends with the pass, which is reported, and the next pass is complete", async () => {
  const end = await fault("api-slow", { resource: "nodes", delayMs: 60_000 })(shared);
  const own: string[] = [];
  const hung = await shared.pass({ limitMs: 1_000, listener: ({ metric }) => own.push(metric) });
  await end();
  assert.deepEqual(own, ["monitor.main.timedout"]);
  assert.ok(hung.includes(lineOf(failed("emitNodeConditions"))));
  assert.deepEqual(linesOf("emitNetworkMTU", hung).length, 1);
  const next = await shared.pass();
  assert.ok(
    next.some((line) => line.startsWith('{"Metric":"monitor.cluster.duration"')),
    next.join("\n"),
  );
});

test("each collector has a faulty cluster", () => {
  const named = new Set(illnesses.map(({ collector }) => collector));
  assert.deepEqual(named, new Set(collectors.map(({ name }) => name)));
});

describe("a cluster's lines at its real API, healthy, faulty and repaired, are those of", () => {
  for (const { collector, title, openShiftVersion, change, begin, well, ill } of illnesses) {
    test(`${collector} at ${title}`, async () => {
      await using stack = new AsyncDisposableStack();
      const cluster = openShiftVersion ? stack.use(await startCluster(openShiftVersion)) : shared;
      const expect = (figures: typeof well, options: PassOptions = {}) =>
        eventually(async () => {
          const expected = (await figuresOf(figures, cluster)).map(lineOf).toSorted();
          const found = linesOf(collector, await cluster.pass({ ...options, isHourly: true }));
          // Without this pause, the attempts would exceed the cluster's request limit.
          if (found.join() !== expected.join()) await delay(200);
          assert.deepEqual(found, expected);
        });
      await expect(well);
      const end = await begin?.(cluster);
      try {
        await expect(ill, change ? { change } : {});
      } finally {
        await end?.();
      }
      await expect(well);
    });
  }
});
