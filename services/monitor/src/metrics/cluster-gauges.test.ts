import assert from "node:assert/strict";
import { test } from "node:test";
import { Metrics } from "@keelson/base";
import { ClusterGauges, gaugeName } from "./cluster-gauges.ts";

const specs = {
  "pod.conditions": { help: "h", dimensions: ["name", "a.b"] },
  "node.count": { help: "h", dimensions: [] },
};

async function shown(metrics: Metrics): Promise<readonly string[]> {
  const { body } = await metrics.expose();
  return body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

test("the last pass of each cluster is exposed, without forgotten clusters", async () => {
  const metrics = new Metrics();
  const gauges = new ClusterGauges(metrics, specs);
  const send = (id: string, metric: string, value: number, own = {}) => {
    const pass = gauges.begin(id);
    pass.send({ metric, value, dimensions: { resourceId: id, ...own } });
    return pass;
  };
  send("/a", "pod.conditions", 1, { name: "p", "a.b": "c" }).end();
  send("/b", "node.count", 3).end();
  const running = send("/a", "node.count", 6);
  assert.deepEqual(await shown(metrics), [
    'cluster_pod_conditions{resourceId="/a",name="p",a_b="c"} 1',
    'cluster_node_count{resourceId="/b"} 3',
  ]);
  running.end();
  assert.deepEqual(await shown(metrics), [
    'cluster_node_count{resourceId="/b"} 3',
    'cluster_node_count{resourceId="/a"} 6',
  ]);
  gauges.forget("/b");
  assert.deepEqual(await shown(metrics), ['cluster_node_count{resourceId="/a"} 6']);
});

test("series beyond a cluster's limit are dropped and counted", async () => {
  const metrics = new Metrics();
  const pass = new ClusterGauges(metrics, specs).begin("/a");
  for (let at = 0; at < 250; at++)
    pass.send({
      metric: "pod.conditions",
      value: 1,
      dimensions: { name: `p${at}`, "a.b": "x".repeat(10_000) },
    });
  pass.end();
  const lines = await shown(metrics);
  assert.equal(lines.filter((line) => line.startsWith("cluster_pod_conditions")).length, 200);
  assert.ok(lines.every((line) => line.length < 500));
  assert.ok(lines.includes('monitor_series_dropped_total{metric="pod.conditions"} 50'));
});

test("names follow Prometheus", () => {
  assert.equal(gaugeName("cluster.AuthenticationType"), "cluster_AuthenticationType");
  assert.equal(gaugeName("monitor.cluster.duration"), "monitor_cluster_duration");
  assert.equal(gaugeName("prometheus.alerts.count"), "cluster_prometheus_alerts_count");
});
