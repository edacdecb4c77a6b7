import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, singleton } from "@keelson/aro-api";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { type KubeResource, resources } from "@keelson/kube";
import {
  condition,
  type DriftCase,
  provesRepair,
  putClusterHistory,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { legacy } from "./bundle.ts";
import { genevaLogging } from "./controller.ts";

const { clusterVersions, configMaps, daemonSets, namespaces, podMonitors, prometheusRules } = resources;
const { securityContextConstraints } = resources;
const namespace = "openshift-azure-logging";
const config = { namespace, name: "otel-config" };
const master = { namespace, name: "otel-exporter-master" };
const worker = { namespace, name: "otel-exporter-worker" };
const constraints = { name: "privileged-genevalogging" };
const gateway = { gatewayPrivateEndpointIP: "10.0.0.9", gatewayTelemetryDomain: "Telemetry.Example.com" };

for (const { name, start } of testServers) {
  describe(`the logs' export on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const find = (resource: KubeResource, key: { name: string; namespace?: string }) =>
      cluster.api.find(resource, key, cluster.signal);
    const degraded = () => condition(cluster, "GenevaLoggingControllerDegraded");
    const pod = async (key: typeof master) =>
      valueAt(await find(daemonSets, key), "spec", "template") as {
        metadata: { annotations: Record<string, string> };
        spec: { containers: { image: string; env: { value: string }[] }[] };
      };
    before(async () => {
      cluster = await start({
        kinds: [clusterVersions, podMonitors, prometheusRules, securityContextConstraints],
        spec: { gatewayPrivateEndpointIP: "" },
      });
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
      for (const { resource, object } of legacy) {
        const labels = { app: "mdsd" };
        const template = { metadata: { labels }, spec: { containers: [{ name: "mdsd", image: "mdsd" }] } };
        const spec = resource === daemonSets ? { spec: { selector: { matchLabels: labels }, template } } : {};
        await cluster.put(resource, { ...object, ...spec });
      }
      operator = await cluster.start({ controllers: [genevaLogging] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("without the platform's privileged constraints it is Degraded, all else is there", async () => {
      await cluster.eventually(async () =>
        assert.equal(
          (await degraded()).message,
          'securitycontextconstraints.security.openshift.io "privileged" not found',
        ),
      );
      assert.ok(await find(configMaps, config));
      await cluster.put(securityContextConstraints, {
        metadata: { name: "privileged" },
        ...required,
        groups: ["system:nodes"],
        users: ["system:admin"],
      });
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
      const clone = await find(securityContextConstraints, constraints);
      assert.deepEqual(clone?.groups, []);
      assert.deepEqual(clone?.users, ["system:serviceaccount:openshift-azure-logging:geneva"]);
      assert.equal(clone?.allowHostPID, true);
    });

    test("acceptance 24: without a gateway, namespace, ConfigMap and PodMonitor exist but no DaemonSets", async () => {
      const { metadata: owner } = await cluster.api.get(clusters, singleton, cluster.signal);
      for (const [resource, key] of [
        [namespaces, { name: namespace }],
        [configMaps, config],
        [podMonitors, { namespace, name: "otel-exporter" }],
      ] as const)
        assert.equal((await find(resource, key))?.metadata.ownerReferences?.[0]?.uid, owner.uid, key.name);
      const { metadata } = await cluster.api.get(namespaces, { name: namespace }, cluster.signal);
      assert.equal(metadata.labels?.["pod-security.kubernetes.io/enforce"], "privileged");
      assert.equal(await find(daemonSets, master), undefined);
      assert.equal(await find(daemonSets, worker), undefined);
    });

    test("objects of earlier versions are removed", async () => {
      for (const { resource, object } of legacy)
        assert.equal(await find(resource, object.metadata), undefined);
    });

    test("acceptance 24: with a gateway, two DaemonSets exist and a deleted one is recreated", async () => {
      await cluster.configure(gateway);
      for (const key of [master, worker])
        await cluster.eventually(async () =>
          assert.equal((await pod(key)).spec.containers[0]?.env[0]?.value, "telemetry.example.com:4317"),
        );
      const { metadata, spec } = await pod(master);
      assert.match(metadata.annotations["aro.openshift.io/otel-config-sha256"] ?? "", /^[0-9a-f]{64}$/);
      assert.match(metadata.annotations["checksum/configmap-otel-config"] ?? "", /^[0-9a-f]{64}$/);
      assert.match(
        spec.containers[0]?.image ?? "",
        /^arosvc\.example\.io\/telemetryexporter:v20260622\.00@sha256:/,
      );
      const before = (await find(daemonSets, worker))?.metadata.uid;
      await cluster.api.delete(daemonSets, worker, cluster.signal);
      await cluster.eventually(async () => {
        const uid = (await find(daemonSets, worker))?.metadata.uid;
        assert.ok(uid !== undefined && uid !== before);
      });
    });

    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "someone" }];
    const prometheus = { namespace, name: "prometheus-k8s" };
    const drift: readonly DriftCase[] = [
      {
        resource: daemonSets,
        key: master,
        edit: { spec: { template: { spec: { nodeSelector: { "example.com/none": "" } } } } },
      },
      { resource: configMaps, key: config, edit: { data: { "master-config.yaml": "receivers: {}" } } },
      { resource: securityContextConstraints, key: constraints, edit: { users: ["system:admin"] } },
      {
        resource: prometheusRules,
        key: { namespace, name: "otel-exporter-alerts" },
        edit: { spec: { groups: [] } },
      },
      {
        resource: podMonitors,
        key: { namespace, name: "otel-exporter" },
        edit: { spec: { podMetricsEndpoints: [] } },
      },
      { resource: resources.roles, key: prometheus, edit: { rules: [] } },
      { resource: resources.roleBindings, key: prometheus, edit: { subjects } },
      {
        resource: namespaces,
        key: { name: namespace },
        edit: { metadata: { labels: { "openshift.io/cluster-monitoring": "false" } } },
        // A deleted namespace remains in the terminating phase, because the test server has no controller that finalizes it.
        recreated: false,
      },
    ];
    // The test repairs one object of each kind, because metrics are counted by kind.
    test("each of its objects is repaired", async () => {
      await Promise.all(drift.map((each) => provesRepair(cluster, operator, each)));
    });

    test("a role's profile rolls that role's pods by their own annotation", async () => {
      const hash = async (key: typeof master) =>
        (await pod(key)).metadata.annotations["aro.openshift.io/otel-config-sha256"];
      const before = [await hash(master), await hash(worker)];
      await cluster.configure({ operatorflags: { "aro.genevalogging.otel.worker.profile": "max-logs" } });
      await cluster.eventually(async () => assert.notEqual(await hash(worker), before[1]));
      assert.equal(await hash(master), before[0]);
      await operator.quiet();
      const writes = await operator.writes();
      await cluster.configure({ location: "westus" });
      await operator.quiet();
      assert.equal(await operator.writes(), writes, "nothing is written when nothing differs");
    });

    test("an invalid Cluster setting is Degraded and does not change the DaemonSets", async () => {
      await cluster.configure({
        gatewayPrivateEndpointIP: "nowhere",
        operatorflags: { "aro.genevalogging.otel.worker.profile": "all" },
      });
      await cluster.eventually(async () =>
        assert.deepEqual((await degraded()).message.split("\n"), [
          'worker profile: unsupported geneva otel profile "all": expected "max-logs", "reduced-logs", or "minimal-logs"',
          'invalid cluster spec field "gatewayPrivateEndpointIP": "nowhere" is not a valid IP address',
        ]),
      );
      assert.ok(await find(daemonSets, master));
      const { uid } = (
        await cluster.api.get(podMonitors, { namespace, name: "otel-exporter" }, cluster.signal)
      ).metadata;
      await cluster.api.delete(podMonitors, { namespace, name: "otel-exporter" }, cluster.signal);
      await cluster.eventually(async () => {
        const found = await find(podMonitors, { namespace, name: "otel-exporter" });
        assert.ok(found && found.metadata.uid !== uid);
      });
    });

    test("acceptance 24: removing the gateway deletes the DaemonSets", async () => {
      await cluster.configure({
        gatewayPrivateEndpointIP: "",
        operatorflags: { "aro.genevalogging.otel.worker.profile": "minimal-logs" },
      });
      for (const key of [master, worker])
        await cluster.eventually(async () => assert.equal(await find(daemonSets, key), undefined));
      await cluster.eventually(async () => assert.equal((await degraded()).status, "False"));
      const keys = Object.keys(valueAt(await find(configMaps, config), "data") ?? {});
      assert.deepEqual(keys.toSorted(), ["config.yaml", "master-config.yaml", "worker-config.yaml"]);
      const monitor = await find(podMonitors, { namespace, name: "otel-exporter" });
      assert.equal(stringAt(listAt(monitor, "spec", "podMetricsEndpoints")[0], "port"), "metrics");
    });
  });
}

/** Required fields of the SecurityContextConstraints `privileged` that the test creates in place of the platform. */
const required = {
  allowHostDirVolumePlugin: true,
  allowHostIPC: true,
  allowHostNetwork: true,
  allowHostPID: true,
  allowHostPorts: true,
  allowPrivilegedContainer: true,
  allowedCapabilities: ["*"],
  defaultAddCapabilities: null,
  priority: null,
  readOnlyRootFilesystem: false,
  requiredDropCapabilities: null,
  volumes: ["*"],
};
