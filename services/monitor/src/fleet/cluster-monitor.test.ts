import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, type Logger, type Sample, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { ClusterView } from "../cluster/cluster-view.ts";
import { type Collector, defineCollector } from "../cluster/collector.ts";
import { nodes } from "../cluster/collectors/nodes.ts";
import { clusterDocument, object, type StubCluster, stubKube } from "../testing/watched-cluster.ts";
import { monitorCluster } from "./cluster-monitor.ts";
import { clusterCollectors } from "./collectors.ts";

const { signal: never } = new AbortController();
const quiet = { dimensions: [], help: "" };
const fine = defineCollector({
  name: "fine",
  metrics: { fine: quiet },
  collect: ({ emit }) => emit("fine", 1, {}),
});

async function pass(
  stub: StubCluster,
  collectors: readonly Collector[],
  {
    isHourly = false,
    signal = never,
    logger = silentLogger,
  }: { isHourly?: boolean; signal?: AbortSignal; logger?: Logger } = {},
) {
  const sent: Sample[] = [];
  const { kube, asked } = stubKube(stub);
  const azure = () => {
    throw new Error("no Azure in this test");
  };
  const failed = await monitorCluster(
    { document: clusterDocument("demo"), view: new ClusterView({ kube, azure, signal }), isHourly, signal },
    {
      collectors,
      sink: { send: (sample) => sent.push(sample) },
      clock: new ManualClock(),
      logger,
    },
  );
  const lines = sent.map(({ metric, dimensions: { collector, code } }) =>
    [metric, collector, code].filter(Boolean).join(" "),
  );
  return { sent, lines, failed, asked };
}

test("acceptance 4: an unhealthy API server is the only report", async () => {
  const { lines, failed, asked } = await pass({ codes: { "/healthz": 500, "/healthz/ping": 503 } }, [fine]);
  assert.deepEqual(lines, [
    "apiserver.healthz.code 500",
    "monitor.cluster.collector.error emitAPIServerHealthzCode",
    "apiserver.healthz.ping.code 503",
    "monitor.cluster.collector.error emitAPIServerPingCode",
  ]);
  assert.deepEqual(failed, ["emitAPIServerHealthzCode", "emitAPIServerPingCode"]);
  assert.equal(asked.size, 0);
});

test("an unresponsive API server has code 0", async () => {
  const { lines } = await pass({ codes: { "/healthz": 0 } }, [fine]);
  assert.ok(lines.includes("apiserver.healthz.code 0"));
  assert.ok(lines.includes("apiserver.healthz.ping.code 200"));
});

test("health is first, a failed collector does not affect the others, and the pass has no duration", async () => {
  const broken = defineCollector({
    name: "broken",
    metrics: {},
    collect() {
      throw new TypeError("hostile data");
    },
  });
  const { lines, failed } = await pass({}, [broken, fine]);
  assert.equal(lines[0], "apiserver.healthz.code 200");
  assert.ok(lines.includes("monitor.cluster.collector.error broken"));
  assert.ok(lines.includes("fine"));
  assert.ok(!lines.includes("monitor.cluster.duration"));
  assert.deepEqual(failed, ["broken"]);
});

test("a pass without a failure has a fractional duration, and provisioning states are sent hourly", async () => {
  const { sent, lines } = await pass({}, [fine], { isHourly: true });
  assert.equal(lines[0], "cluster.provisioning");
  assert.deepEqual(sent.at(-1)?.isFraction, true);
  assert.equal(lines.at(-1), "monitor.cluster.duration");
  assert.ok(!(await pass({}, [fine])).lines.includes("cluster.provisioning"));
});

test("once an hour a pass explains values, at most 100 of each collector, also of one that fails", async () => {
  const explaining = (name: string, count: number) =>
    defineCollector({
      name,
      metrics: {},
      collect({ explain }) {
        for (let at = 0; at < count; at++) explain({ metric: name });
        if (count > 100) throw new Error("failed after the explanations");
      },
    });
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const collectors = [explaining("many", 1_000), explaining("few", 2)];
  await pass({}, collectors, { logger });
  assert.equal(lines.filter((line) => line.includes('"metric"')).length, 0);
  await pass({}, collectors, { logger, isHourly: true });
  assert.equal(lines.filter((line) => line.includes('"metric":"many"')).length, 100);
  assert.equal(lines.filter((line) => line.includes('"metric":"few"')).length, 2);
  assert.equal(lines.filter((line) => line.includes('"collector":"many","omitted":900')).length, 1);
});

test("nodes without a known role are one log line, with the first ten names", async () => {
  const lines: { readonly nodeCount?: number; readonly nodeNames?: readonly string[] }[] = [];
  const logger = createLogger({
    level: "warn",
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const objects = Array.from(
    { length: 250 },
    (_, at) => [resources.nodes, object(`node-${at}`, {})] as const,
  );
  await pass({ objects }, [nodes], { logger });
  assert.deepEqual(
    lines.map(({ nodeCount, nodeNames }) => [nodeCount, nodeNames?.length]),
    [[250, 10]],
  );
});

test("a hanging collector is abandoned after its own limit, and does not delay the others", async () => {
  const hangs = defineCollector({
    name: "hangs",
    metrics: {},
    limitMs: 20,
    collect: () => new Promise(() => {}),
  });
  const { lines } = await pass({}, [hangs, fine]);
  assert.ok(lines.includes("fine"));
  assert.ok(lines.includes("monitor.cluster.collector.error hangs"));
});

test("after the end of the pass nothing is read any more", async () => {
  const stop = new AbortController();
  const stops = defineCollector({ name: "stops", metrics: {}, collect: () => stop.abort(new Error("over")) });
  const more = Array.from({ length: 6 }, (_, at): Collector => ({ ...fine, name: `more-${at}` }));
  const { lines } = await pass({}, [stops, ...more], { signal: stop.signal });
  assert.ok(lines.includes("monitor.cluster.collector.skipped more-5"));
});

test("data for several collectors is read once", async () => {
  const collectors = clusterCollectors({
    buildId: "b",
    zone: "example.org",
    podNamespaces: ["openshift-etcd"],
  });
  const stub = {
    objects: [
      [
        resources.clusterVersions,
        object("version", { status: { history: [], desired: { version: "4.19.24" } } }),
      ],
    ],
  } as const;
  const { asked } = await pass(stub, collectors, { isHourly: true });
  assert.deepEqual(
    [...asked].filter(([, count]) => count > 1),
    [],
  );
  assert.ok(asked.has("list nodes") && asked.has("list machines") && asked.has("list clusteroperators"));
});
