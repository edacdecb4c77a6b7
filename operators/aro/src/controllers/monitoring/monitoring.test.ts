import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { withoutPersistence } from "../../customer-yaml/edits/prometheus-persistence.ts";
import {
  condition,
  provesRepair,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { monitoring } from "./controller.ts";

const { configMaps, persistentVolumeClaims } = resources;
const namespace = "openshift-monitoring";
const key = { namespace, name: "cluster-monitoring-config" };
const member = "config.yaml";

const cases: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    "the three members go, all else stays",
    "# ours\nprometheusK8s:\n  retention: 15d\n  # load\n  nodeSelector: {a: b}\n  volumeClaimTemplate:\n    spec: {}\nalertmanagerMain:\n  volumeClaimTemplate:\n    spec: {}\n  enabled: true\ntechPreviewUserWorkload: {retention: 1d}\n",
    "# ours\nprometheusK8s:\n  # load\n  nodeSelector: { a: b }\nalertmanagerMain:\n  enabled: true\ntechPreviewUserWorkload: { retention: 1d }\n",
  ],
  ["a component of nothing else", "prometheusK8s:\n  retention: 15d\n", "prometheusK8s: {}\n"],
  ["none of them", "prometheusK8s:    {}\n", "prometheusK8s:    {}\n"],
  ["no configuration", "", ""],
  [
    "malformed components",
    "prometheusK8s: [retention]\nalertmanagerMain: 1\n",
    "prometheusK8s: [retention]\nalertmanagerMain: 1\n",
  ],
];
for (const [name, before, after] of cases)
  test(`persistence: ${name}`, () => assert.equal(withoutPersistence(before), after));

for (const { name: server, start } of testServers) {
  describe(`the monitoring's configuration on ${server}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const live = () => cluster.api.find(configMaps, key, cluster.signal);
    const claim = (name: string, labels: Readonly<Record<string, string>>) =>
      cluster.put(persistentVolumeClaims, {
        metadata: { namespace, name, labels },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      });
    // True if a claim is deleted or terminating. The real API server runs without the controller that removes the finalizer of
    // unused claims.
    const isLeaving = async (name: string) => {
      const found = await cluster.api.find(persistentVolumeClaims, { namespace, name }, cluster.signal);
      return !found || found.metadata.deletionTimestamp !== undefined;
    };
    before(async () => {
      cluster = await start({ kinds: [] });
      await claim("data-prometheus-k8s-0", { app: "prometheus", prometheus: "k8s" });
      operator = await cluster.start({ controllers: [monitoring] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("nothing changes while the flag is off", async () => {
      await operator.quiet();
      assert.equal(await live(), undefined);
      assert.equal(await isLeaving("data-prometheus-k8s-0"), false);
    });

    test("a missing configuration is created, and Prometheus' claims are deleted", async () => {
      await claim("other", { app: "prometheus", prometheus: "user-workload" });
      await cluster.configure({ operatorflags: { "aro.monitoring.enabled": "true" } });
      await cluster.eventually(async () => assert.equal(stringAt(await live(), "data", member), "{}\n"));
      await cluster.eventually(async () => assert.ok(await isLeaving("data-prometheus-k8s-0")));
      await claim("data-prometheus-k8s-1", { app: "prometheus", prometheus: "k8s" });
      await cluster.eventually(async () => assert.ok(await isLeaving("data-prometheus-k8s-1")));
      assert.equal(await isLeaving("other"), false);
    });

    test("is repaired", async () => {
      const component = { data: { [member]: "prometheusK8s: {}\n" } };
      await cluster.put(configMaps, { metadata: key, ...component });
      await provesRepair(cluster, operator, {
        resource: configMaps,
        key,
        edit: { data: { [member]: "prometheusK8s: {retention: 15d}\n" } },
        recreated: false,
      });
      await cluster.api.delete(configMaps, key, cluster.signal);
      await cluster.eventually(async () => assert.equal(stringAt(await live(), "data", member), "{}\n"));
    });

    test("an unreadable configuration is Degraded and not changed", async () => {
      const write = (text: string) => cluster.put(configMaps, { metadata: key, data: { [member]: text } });
      const degraded = () => condition(cluster, "MonitoringControllerDegraded");
      await write("prometheusK8s: [");
      await cluster.eventually(async () =>
        assert.match(
          (await degraded()).message,
          /^config\.yaml in ConfigMap openshift-monitoring\/cluster-monitoring-config is not valid YAML: /,
        ),
      );
      assert.equal(stringAt(await live(), "data", member), "prometheusK8s: [");
      await write("prometheusK8s:\n  retention: 1d\n  logLevel: debug\n");
      await cluster.eventually(async () =>
        assert.equal(stringAt(await live(), "data", member), "prometheusK8s:\n  logLevel: debug\n"),
      );
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
    });
  });
}
