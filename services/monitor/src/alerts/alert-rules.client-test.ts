/** Evaluates the alert rules with Prometheus. Requires promtool of Debian. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRules, type InputSeries, testAlerts, testAllAlerts } from "@keelson/operator-kit/testing";
import { alerts } from "./alert-groups.ts";
import { alertRules } from "./alert-rules.ts";

interface Figure {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Values in promtool notation, one value per minute. Default: the value 1 for five hours. */
  readonly values?: string;
}

const always = "1x300";

const condition = (name: string, labels: Figure["labels"], values?: string): Figure => ({
  name: `cluster_${name}`,
  labels,
  ...(values === undefined ? {} : { values }),
});

/** Samples for each alert. The samples in `fires` trigger the alert. The samples in `quiet` are similar but do not trigger it. */
const cases: Readonly<Record<string, { readonly fires: Figure; readonly quiet: readonly Figure[] }>> = {
  KeelsonApiServerUnreachable: {
    fires: condition("apiserver_healthz_code", { code: "0" }),
    quiet: [
      condition("apiserver_healthz_code", { code: "200" }),
      condition("apiserver_healthz_code", { code: "0" }, "1x3 _x10 1x3 _x100"),
    ],
  },
  KeelsonApiServerUnhealthy: {
    fires: condition("apiserver_healthz_code", { code: "500" }),
    quiet: [condition("apiserver_healthz_code", { code: "200" })],
  },
  KeelsonClusterOperatorUnavailable: {
    fires: condition("clusteroperator_conditions", { name: "dns", type: "Available", status: "False" }),
    quiet: [condition("clusteroperator_conditions", { name: "dns", type: "Available", status: "True" })],
  },
  KeelsonClusterOperatorDegraded: {
    fires: condition("clusteroperator_conditions", { name: "dns", type: "Degraded", status: "True" }),
    quiet: [
      condition("clusteroperator_conditions", { name: "dns", type: "Progressing", status: "True" }),
      condition(
        "clusteroperator_conditions",
        { name: "dns", type: "Degraded", status: "True" },
        "1x20 _x300",
      ),
    ],
  },
  KeelsonClusterOperatorBehind: {
    fires: condition("clusteroperator_versions", { name: "dns", version: "4.18.1" }),
    quiet: [
      condition("clusteroperator_versions", { name: "dns", version: "4.18.1" }, "1x120 _x300"),
      condition("clusteroperator_versions", { name: "aro", version: "0.1.0" }),
    ],
  },
  KeelsonClusterVersionFailing: {
    fires: condition("clusterversion_conditions", { type: "Failing", status: "True" }),
    quiet: [condition("clusterversion_conditions", { type: "Failing", status: "False" })],
  },
  KeelsonMachineConfigPoolDegraded: {
    fires: condition("machineconfigpool_conditions", {
      name: "worker",
      type: "NodeDegraded",
      status: "True",
    }),
    quiet: [condition("machineconfigpool_conditions", { name: "worker", type: "Updating", status: "True" })],
  },
  KeelsonNodesUnmanaged: {
    fires: condition("machineconfigpool_unmanagednodescount", {}, "-2x300"),
    quiet: [condition("machineconfigpool_unmanagednodescount", {}, "3x30 _x270")],
  },
  KeelsonMastersMissing: {
    fires: condition("node_count", { role: "master" }, "2x300"),
    quiet: [
      condition("node_count", { role: "master" }, "3x300"),
      condition("node_count", { role: "worker" }),
    ],
  },
  KeelsonMasterNotReady: {
    fires: condition("node_conditions", { nodeName: "m", type: "Ready", status: "Unknown", role: "master" }),
    quiet: [condition("node_conditions", { nodeName: "m", type: "Other", status: "True", role: "master" })],
  },
  KeelsonWorkerNotReady: {
    fires: condition("node_conditions", { nodeName: "w", type: "Ready", status: "False", role: "worker" }),
    quiet: [condition("node_conditions", { nodeName: "w", type: "Other", status: "False", role: "worker" })],
  },
  KeelsonNodePressure: {
    fires: condition("node_conditions", {
      nodeName: "w",
      type: "DiskPressure",
      status: "True",
      role: "worker",
    }),
    quiet: [
      condition("node_conditions", {
        nodeName: "w",
        type: "DiskPressure",
        status: "Unknown",
        role: "worker",
      }),
    ],
  },
  KeelsonMachineFailed: {
    fires: condition("machine_phase", { machineName: "w", phase: "Failed", role: "worker" }),
    quiet: [condition("machine_phase", { machineName: "w", phase: "Running", role: "worker" })],
  },
  KeelsonMachineStuck: {
    fires: condition("machine_phase", { machineName: "w", phase: "Provisioned", role: "worker" }),
    quiet: [
      condition("machine_phase", { machineName: "w", phase: "Provisioned", role: "worker" }, "1x50 _x250"),
    ],
  },
  KeelsonPodNotReady: {
    fires: condition("pod_conditions", { namespace: "n", name: "p", type: "Ready", status: "False" }),
    quiet: [condition("pod_conditions", { namespace: "n", name: "p", type: "Initialized", status: "False" })],
  },
  KeelsonContainerWaiting: {
    fires: condition("pod_containerstatuses", {
      namespace: "n",
      name: "p",
      containername: "c",
      reason: "CrashLoopBackOff",
    }),
    quiet: [
      condition("pod_containerstatuses", {
        namespace: "n",
        name: "p",
        containername: "c",
        reason: "ContainerCreating",
      }),
    ],
  },
  KeelsonPodRestarts: {
    fires: condition("pod_restartcounter", { namespace: "n", name: "p" }, "10+0.2x300"),
    quiet: [condition("pod_restartcounter", { namespace: "n", name: "p" }, "40x300")],
  },
  KeelsonPlatformAlertCritical: {
    fires: condition("prometheus_alerts", { alert: "etcdNoLeader", severity: "critical" }, "2x300"),
    quiet: [condition("prometheus_alerts", { alert: "KubeJobFailed", severity: "warning" })],
  },
  KeelsonLogExporterDown: {
    fires: condition("genevalogging_otel_cannotstart", { name: "otel-exporter-master" }),
    quiet: [condition("daemonset_statuses", { name: "otel-exporter-master" })],
  },
  KeelsonOperatorDown: {
    fires: condition("arooperator_heartbeat", { name: "aro-operator-master" }, "0x300"),
    quiet: [condition("arooperator_heartbeat", { name: "aro-operator-master" }, "1x300")],
  },
  KeelsonOperatorCondition: {
    fires: condition("arooperator_conditions", { type: "ServicePrincipalValid", status: "False" }),
    quiet: [
      condition("arooperator_conditions", { type: "DnsmasqControllerProgressing", status: "True" }),
      ...[
        "DefaultClusterDNS",
        "GuardRailsStatus",
        "ManagedUpgradeOperatorStatus",
        "PlatformWorkloadsReady",
      ].map((type) => condition("arooperator_conditions", { type, status: "True" })),
      ...["RebootPending", "UserActionRequired"].map((type) =>
        condition("arooperator_conditions", { type, status: "False" }),
      ),
    ],
  },
  KeelsonSubnetsContested: {
    fires: condition("nsg_reconciliations", {}),
    quiet: [condition("nsg_reconciliations", {}, "1 _x300")],
  },
  KeelsonCertificateExpiring: {
    fires: condition("certificate_expirationdate", { namespace: "n", name: "c" }, "20x300"),
    quiet: [condition("certificate_expirationdate", { namespace: "n", name: "c" }, "21x300")],
  },
  KeelsonCertificateExpired: {
    fires: condition("certificate_expirationdate", { namespace: "n", name: "c" }, "-1x300"),
    quiet: [condition("certificate_expirationdate", { namespace: "n", name: "c" }, "30x300")],
  },
  KeelsonCertificateMissing: {
    fires: condition("certificate_secretnotfound", { namespace: "n", name: "c" }),
    quiet: [condition("certificate_secretnotfound", { namespace: "n", name: "c" }, "1x10 _x290")],
  },
  KeelsonProxyIncomplete: {
    fires: condition("clusterWideProxy_status", { status: "true", Message: "m" }),
    quiet: [condition("clusterWideProxy_status", { status: "false", Message: "m" })],
  },
  KeelsonHiveConditions: {
    fires: condition("hive_clusterdeployment_conditions", { type: "Unreachable", reason: "r" }),
    quiet: [
      condition("hive_clusterdeployment_conditions", { type: "Unreachable", reason: "r" }, "1x9 _x291"),
    ],
  },
  KeelsonHiveSyncFailing: {
    fires: condition("hive_clustersync", { name: "s", status: "Failure", type: "SyncSets" }),
    quiet: [condition("hive_clustersync", { name: "s", status: "Success", type: "SyncSets" })],
  },
  KeelsonSecurityGroupDenies: {
    fires: {
      name: "monitor_preconfigurednsg_invaliddenyrule",
      labels: { networksecuritygroup: "g", rulename: "r" },
    },
    quiet: [{ name: "monitor_preconfigurednsg_enabled", labels: {} }],
  },
  KeelsonSubnetForbidden: {
    fires: { name: "monitor_preconfigurednsg_subnetaccessforbidden", labels: { vNet: "v", subnet: "s" } },
    quiet: [{ name: "monitor_preconfigurednsg_enabled", labels: {} }],
  },
  KeelsonCollectorFailing: {
    fires: { name: "monitor_cluster_collector_error", labels: { collector: "emitPodConditions" } },
    quiet: [{ name: "monitor_cluster_collector_error", labels: { collector: "emitAPIServerHealthzCode" } }],
  },
  KeelsonPassesTimeOut: risen("monitor_main_timedout_total"),
  KeelsonClusterWithoutKubeconfig: risen("monitor_main_notreached_total"),
  KeelsonMonitorBroken: risen("monitor_cluster_failedworker_total"),
  KeelsonMonitorAbsent: {
    fires: { name: "monitor_heartbeat", labels: { version: "1" }, values: "1x30 _x270" },
    quiet: [{ name: "monitor_heartbeat", labels: { version: "1" } }],
  },
  KeelsonPassesLate: {
    fires: { name: "monitor_workers_late_total", labels: {}, values: "0+9x300" },
    quiet: [{ name: "monitor_workers_late_total", labels: {}, values: "0x100 9x200" }],
  },
  KeelsonClusterLimitExceeded: {
    fires: {
      name: "monitor_cluster_limit_exceeded_total",
      labels: { reader: "monitor", limit: "tokens" },
      values: "0+1x300",
    },
    quiet: [
      {
        name: "monitor_cluster_limit_exceeded_total",
        labels: { reader: "monitor", limit: "tokens" },
        values: "9x300",
      },
    ],
  },
  KeelsonFiguresLost: {
    fires: { name: "monitor_series_dropped_total", labels: { metric: "pod.conditions" }, values: "0+1x300" },
    quiet: [{ name: "monitor_series_dropped_total", labels: { metric: "pod.conditions" }, values: "9x300" }],
  },
};

function risen(name: string) {
  return {
    fires: { name, labels: {}, values: "0+1x300" },
    quiet: [{ name, labels: {}, values: "0x100 2x200" }],
  };
}

/** Returns the series in the form that a monitor exposes. */
function seriesOf({ name, labels, values = always }: Figure, monitor = "a"): InputSeries {
  const all = { resourceId: "/c", resourceName: "c", instance: monitor, ...labels };
  const texts = Object.entries(all).map(([label, text]) => `${label}="${text}"`);
  return { series: `${name}{${texts.join(",")}}`, values };
}

/** The heartbeat is included, because a missing heartbeat would trigger an alert. */
const heartbeat = seriesOf({ name: "monitor_heartbeat", labels: { version: "1" } }, "b");

test("promtool accepts the rules", async () => {
  assert.match(await checkRules(alertRules()), new RegExp(`SUCCESS: ${alerts.length} rules found`));
});

test("each alert has a case", () => {
  assert.deepEqual(Object.keys(cases).sort(), alerts.map(({ name }) => name).sort());
});

/**
 * Returns promtool's test case for a metric. The alerts `alerts`, and no other alerts, must be firing 95 minutes after the start.
 * If the waiting time of the alert `name` exceeds one hour, the time is 4.5 hours after the start.
 */
function playOf(name: string, figure: Figure, alerts: readonly string[]) {
  const isSlow = (find(name)?.forMinutes ?? 0) > 60;
  const beside = figure.name === "monitor_heartbeat" ? [] : [heartbeat];
  const firing = [{ at: isSlow ? "4h30m" : "95m", alerts }];
  return { name, interval: "1m" as const, series: [seriesOf(figure), ...beside], firing };
}

function find(alert: string) {
  return alerts.find(({ name }) => name === alert);
}

for (const group of alertRules().groups) {
  test(`${group.name}: each alert fires for its metric, and none for similar values`, async () => {
    const plays = group.rules.flatMap(({ alert: name }) => {
      const { fires, quiet } = cases[name] ?? assert.fail(name);
      // If two alerts use the same metric, the less severe alert also fires.
      const firing = name === "KeelsonCertificateExpired" ? [name, "KeelsonCertificateExpiring"] : [name];
      return [playOf(name, fires, firing), ...quiet.map((figure) => playOf(name, figure, []))];
    });
    await testAllAlerts({ groups: [group] }, plays);
  });
}

test("an alert keeps its waiting time when a second monitor takes over the cluster", async () => {
  const degraded = (values: string) =>
    condition("clusteroperator_conditions", { name: "dns", type: "Degraded", status: "True" }, values);
  await testAlerts({
    rules: alertRules(),
    interval: "1m",
    series: [seriesOf(degraded("1x20 _x280"), "a"), seriesOf(degraded("_x20 1x280"), "b"), heartbeat],
    firing: [
      { at: "29m", alerts: [] },
      { at: "31m", alerts: ["KeelsonClusterOperatorDegraded"] },
    ],
  });
});

test("the check fails for a metric that fires an unexpected alert", async () => {
  const { fires } = cases.KeelsonMachineFailed ?? {};
  assert.ok(fires);
  await assert.rejects(
    testAllAlerts(alertRules(), [playOf("wrong", fires, ["KeelsonMachineStuck"])]),
    /exp:/,
  );
});

test("good and bad statuses of one condition are distinct", async () => {
  await testAllAlerts(alertRules(), [
    playOf("reboot pending", condition("arooperator_conditions", { type: "RebootPending", status: "True" }), [
      "KeelsonOperatorCondition",
    ]),
    playOf(
      "workloads not ready",
      condition("arooperator_conditions", { type: "PlatformWorkloadsReady", status: "False" }),
      ["KeelsonOperatorCondition"],
    ),
  ]);
});

test("pods on a node that is not ready fire no alert in addition to the alert of the node", async () => {
  const pod = (name: string, nodeName: string, resourceId: string) =>
    seriesOf(
      condition("pod_conditions", {
        namespace: "n",
        name,
        nodeName,
        resourceId,
        type: "Ready",
        status: "False",
      }),
    );
  const node = { nodeName: "node", resourceId: "one", role: "worker", type: "Ready", status: "Unknown" };
  await testAlerts({
    rules: alertRules(),
    interval: "1m",
    series: [
      seriesOf(condition("node_conditions", node)),
      pod("on-the-node", "node", "one"),
      pod("on-a-ready-node", "other", "one"),
      pod("of-another-cluster", "node", "two"),
      heartbeat,
    ],
    firing: [{ at: "95m", alerts: ["KeelsonWorkerNotReady", "KeelsonPodNotReady", "KeelsonPodNotReady"] }],
  });
});

test("a pod that is not ready fires its alert although its node repeatedly is not ready for a short time", async () => {
  const node = { nodeName: "node", resourceId: "one", role: "worker", type: "Ready", status: "Unknown" };
  const pod = {
    namespace: "n",
    name: "p",
    nodeName: "node",
    resourceId: "one",
    type: "Ready",
    status: "False",
  };
  await testAlerts({
    rules: alertRules(),
    interval: "1m",
    series: [
      { ...seriesOf(condition("node_conditions", node)), values: "_x9 1 _x48 1 _x48" },
      seriesOf(condition("pod_conditions", pod)),
      heartbeat,
    ],
    firing: [{ at: "95m", alerts: ["KeelsonPodNotReady"] }],
  });
});
