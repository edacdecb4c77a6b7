import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { clusters as aroClusters, defaultOperatorFlags, operatorNamespace } from "@keelson/aro-api";
import { createCertificateAuthority, type Sample, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import type { ClusterProperties } from "@keelson/model";
import { ClusterView } from "../cluster/cluster-view.ts";
import { clusterDocument, object, stubKube, withConditions } from "../testing/watched-cluster.ts";
import { monitorCluster } from "./cluster-monitor.ts";
import { clusterCollectors } from "./collectors.ts";

type Objects = readonly (readonly [KubeResource, KubeObject])[];

const now = new Date("2026-03-01T12:00:00Z");
const { signal } = new AbortController();
const namespaced = (namespace: string) => ({ namespace });
const versionObject = (history: readonly object[], desired = "4.19.24", conditions = {}) =>
  object("version", {
    ...withConditions(conditions, { history, desired: { version: desired } }),
    spec: {},
  });
const completed = (version: string) => ({ state: "Completed", version });

/**
 * Returns the samples of one collector in the form `{metric}={value} {dimensions}`. The dimensions of the cluster are omitted.
 */
async function samplesOf(
  collector: string,
  objects: Objects,
  { isHourly = false, ...properties }: Partial<ClusterProperties> & { readonly isHourly?: boolean } = {},
): Promise<readonly string[]> {
  const sent: Sample[] = [];
  const [only] = clusterCollectors({
    buildId: "new-build",
    zone: "eastus.example.org",
    podNamespaces: ["openshift-etcd"],
  }).filter(({ name }) => name === collector);
  assert.ok(only, `no collector ${collector}`);
  const { kube } = stubKube({
    objects: [
      [resources.clusterVersions, versionObject([completed("4.19.24")])],
      ...objects,
    ].toReversed() as Objects,
  });
  const azure = () => {
    throw new Error("not in this test");
  };
  const failed = await monitorCluster(
    {
      document: clusterDocument("demo", properties),
      view: new ClusterView({ kube, azure, signal }),
      isHourly,
      signal,
    },
    {
      collectors: [only],
      sink: { send: (sample) => sent.push(sample) },
      clock: new ManualClock(now),
      logger: silentLogger,
    },
  );
  assert.deepEqual(failed, []);
  return sent
    .filter(({ metric }) => !/^(monitor\.|apiserver\.|cluster\.provisioning)/.test(metric))
    .map(({ metric, value, dimensions }) => {
      const { resourceId: _, subscriptionId: __, resourceGroup: ___, resourceName, ...own } = dimensions;
      assert.equal(resourceName, "demo");
      return [`${metric}=${value}`, ...Object.entries(own).map(([name, text]) => `${name}:${text}`)].join(
        " ",
      );
    });
}

const machine = (name: string, phase: string, labels: object = {}, spec: object = {}) =>
  object(
    name,
    { spec: { providerSpec: { value: spec } }, status: { phase } },
    { namespace: "openshift-machine-api", labels },
  );
const labelled = {
  "machine.openshift.io/cluster-api-machine-role": "worker",
  "machine.openshift.io/cluster-api-machineset": "set-a",
};
const deployment = (name: string, available: number, more: object = {}) =>
  object(
    name,
    {
      spec: { replicas: 1 },
      status: { availableReplicas: available, updatedReplicas: 1, replicas: 1, observedGeneration: 2 },
    },
    { namespace: operatorNamespace, generation: 2, ...more },
  );
const daemonSet = (name: string, desired: number, available: number) =>
  object(
    name,
    { status: { desiredNumberScheduled: desired, numberAvailable: available } },
    namespaced("openshift-azure-logging"),
  );
const pod = (name: string, namespace: string, status: object) =>
  object(name, { spec: { nodeName: "node-a" }, status }, { namespace });
const restarts = (count: number) => ({
  containerStatuses: [
    { name: "c", restartCount: count - 1 },
    { name: "d", restartCount: 1 },
  ],
});

const { certificatePem } = await createCertificateAuthority("api.demo", 30);
const days = Math.trunc(
  (new X509Certificate(certificatePem).validToDate.getTime() - now.getTime()) / 86_400_000,
);

const cases: readonly (readonly [
  name: string,
  collector: string,
  objects: Objects,
  expected: readonly string[],
  properties?: Partial<ClusterProperties> & { readonly isHourly?: boolean },
])[] = [
  ["a cluster of version 4 is no cluster of version 5", "emitOpenShift5Versions", [], []],
  [
    "a cluster during an update to version 5 reports only the target",
    "emitOpenShift5Versions",
    [[resources.clusterVersions, versionObject([completed("4.23.1")], "5.0.0")]],
    ["cluster.openshift5.versions=1 actualVersion: desiredVersion:5.0.0"],
  ],
  [
    "each role of the operator has a heartbeat, also a missing one",
    "emitAroOperatorHeartbeat",
    [[resources.deployments, deployment("aro-operator-master", 1)]],
    ["arooperator.heartbeat=1 name:aro-operator-master", "arooperator.heartbeat=0 name:aro-operator-worker"],
  ],
  [
    "an operator that is being replaced has no heartbeat",
    "emitAroOperatorHeartbeat",
    [
      [resources.deployments, deployment("aro-operator-master", 0)],
      [resources.deployments, deployment("aro-operator-worker", 1, { generation: 3 })],
    ],
    ["arooperator.heartbeat=0 name:aro-operator-master", "arooperator.heartbeat=0 name:aro-operator-worker"],
  ],
  [
    "expected conditions of the operator are not sent",
    "emitAroOperatorConditions",
    [
      [
        aroClusters,
        object(
          "cluster",
          withConditions({
            InternetReachableFromMaster: "True",
            MachineValid: "False",
            BannerControllerAvailable: "True",
            BannerControllerProgressing: "True",
            BannerControllerDegraded: "False",
            Other: "Unknown",
          }),
        ),
      ],
    ],
    [
      "arooperator.conditions=1 status:False type:MachineValid",
      "arooperator.conditions=1 status:True type:BannerControllerProgressing",
      "arooperator.conditions=1 status:Unknown type:Other",
    ],
  ],
  [
    "a subnet that was repaired a minute ago",
    "emitNSGReconciliation",
    [
      [
        aroClusters,
        object(
          "cluster",
          {},
          {
            annotations: { "aro.openshift.io/lastSubnetReconcileTimestamp": "Sun, 01 Mar 2026 11:59:00 UTC" },
          },
        ),
      ],
    ],
    ["nsg.reconciliations=1"],
  ],
  [
    "a subnet that was repaired 71 seconds ago",
    "emitNSGReconciliation",
    [
      [
        aroClusters,
        object(
          "cluster",
          {},
          {
            annotations: { "aro.openshift.io/lastSubnetReconcileTimestamp": "Sun, 01 Mar 2026 11:58:49 UTC" },
          },
        ),
      ],
    ],
    [],
  ],
  [
    "a cluster with annotations, whose subnets never needed repair",
    "emitNSGReconciliation",
    [[aroClusters, object("cluster", {}, { annotations: { other: "x" } })]],
    [],
  ],
  [
    "wrong conditions of ClusterOperators, without irrelevant ones",
    "emitClusterOperatorConditions",
    [
      [
        resources.clusterOperators,
        object(
          "network",
          withConditions({ Available: "True", Degraded: "True", ManagementStateDegraded: "False" }),
        ),
      ],
      [
        resources.clusterOperators,
        object("insights", withConditions({ Upgradeable: "False", SCAAvailable: "False" })),
      ],
      [resources.clusterOperators, object("etcd", withConditions({ RecentBackup: "Unknown", Own: "True" }))],
      [
        resources.clusterOperators,
        object("dns", withConditions({ ManagementStateDegraded: "False", Available: "Unknown" })),
      ],
      [
        resources.clusterOperators,
        object(
          "service-ca",
          withConditions({ Upgradeable: "Unknown", EvaluationConditionsDetected: "Unknown" }),
        ),
      ],
    ],
    [
      "clusteroperator.conditions=1 name:dns status:False type:ManagementStateDegraded",
      "clusteroperator.conditions=1 name:dns status:Unknown type:Available",
      "clusteroperator.conditions=1 name:etcd status:True type:Own",
      "clusteroperator.conditions=1 name:insights status:False type:Upgradeable",
      "clusteroperator.conditions=1 name:network status:True type:Degraded",
      "clusteroperator.count=5",
    ],
  ],
  [
    "operators with a version other than the cluster's target",
    "emitClusterOperatorVersions",
    [
      [
        resources.clusterOperators,
        object("dns", {
          status: {
            versions: [
              { name: "operator", version: "4.19.20" },
              { name: "operand", version: "1" },
            ],
          },
        }),
      ],
      [
        resources.clusterOperators,
        object("etcd", { status: { versions: [{ name: "operator", version: "4.19.24" }] } }),
      ],
    ],
    ["clusteroperator.versions=1 name:dns version:4.19.20"],
  ],
  [
    "conditions of the ClusterVersion",
    "emitClusterVersionConditions",
    [
      [
        resources.clusterVersions,
        versionObject([], "4.19.24", { Available: "True", Progressing: "True", RetrievedUpdates: "False" }),
      ],
    ],
    [
      "clusterversion.conditions=1 status:True type:Progressing",
      "clusterversion.conditions=1 status:False type:RetrievedUpdates",
    ],
  ],
  [
    "versions of cluster, operator and service",
    "emitClusterVersions",
    [
      [
        resources.clusterVersions,
        versionObject([{ state: "Partial", version: "4.19.24" }, completed("4.18.3"), completed("4.17.1")]),
      ],
      [resources.deployments, deployment("aro-operator-master", 1, { labels: { version: "op-build" } })],
    ],
    [
      "cluster.versions=1 actualVersion:4.18.3 desiredVersion:4.19.24 provisionedByResourceProviderVersion:old-build resourceProviderVersion:new-build operatorVersion:op-build availableRP:new-build actualMinorVersion:4.18",
    ],
    { provisionedBy: "old-build" },
  ],
  [
    "versions of a cluster without an operator, provisioned by this build",
    "emitClusterVersions",
    [[resources.clusterVersions, versionObject([])]],
    [
      "cluster.versions=1 actualVersion: desiredVersion:4.19.24 provisionedByResourceProviderVersion:new-build resourceProviderVersion:new-build operatorVersion:unknown availableRP: actualMinorVersion:",
    ],
    { provisionedBy: "new-build" },
  ],
  [
    "log exporters that run on some nodes, and a stopped one",
    "emitDaemonsetStatuses",
    [
      [resources.daemonSets, daemonSet("other", 3, 0)],
      [resources.daemonSets, daemonSet("otel-exporter-worker", 3, 0)],
      [resources.daemonSets, daemonSet("otel-exporter-master", 3, 2)],
    ],
    [
      "daemonset.statuses=1 desiredNumberScheduled:3 name:otel-exporter-master namespace:openshift-azure-logging numberAvailable:2",
      "daemonset.statuses=1 desiredNumberScheduled:3 name:otel-exporter-worker namespace:openshift-azure-logging numberAvailable:0",
      "genevalogging.otel.cannotstart=1 desiredNumberScheduled:3 name:otel-exporter-worker namespace:openshift-azure-logging numberAvailable:0",
    ],
  ],
  [
    "conditions of MachineConfigPools",
    "emitMachineConfigPoolConditions",
    [
      [
        resources.machineConfigPools,
        object("worker", withConditions({ Updated: "False", Updating: "True", Degraded: "False" })),
      ],
    ],
    [
      "machineconfigpool.conditions=1 name:worker status:False type:Updated",
      "machineconfigpool.conditions=1 name:worker status:True type:Updating",
      "machineconfigpool.count=1",
    ],
  ],
  [
    "nodes that no pool manages",
    "emitMachineConfigPoolUnmanagedNodeCounts",
    [
      [resources.machineConfigPools, object("worker", { status: { machineCount: 1 } })],
      [resources.nodes, object("a", {})],
      [resources.nodes, object("b", {})],
    ],
    ["machineconfigpool.unmanagednodescount=1"],
  ],
  [
    "as many nodes as pools manage",
    "emitMachineConfigPoolUnmanagedNodeCounts",
    [
      [resources.machineConfigPools, object("worker", { status: { machineCount: 1 } })],
      [resources.nodes, object("a", {})],
    ],
    [],
  ],
  [
    "machines with their phases",
    "emitMachineConditions",
    [
      [resources.machines, object("none", {}, namespaced("openshift-machine-api"))],
      [resources.machines, machine("spot", "Running", labelled, { spotVMOptions: {} })],
    ],
    [
      "machine.phase=1 machineName:spot phase:Running spotInstance:true role:worker machineset:set-a",
      "machine.count=2",
    ],
  ],
  [
    "nodes with the role and set of their machines",
    "emitNodeConditions",
    [
      [resources.machines, machine("m", "Running", labelled)],
      [
        resources.nodes,
        object(
          "node-a",
          withConditions(
            { Ready: "Unknown", DiskPressure: "False", Own: "True" },
            { nodeInfo: { kubeletVersion: "v1.32.5" } },
          ),
          {
            labels: { "node-role.kubernetes.io/worker": "" },
            annotations: { "machine.openshift.io/machine": "openshift-machine-api/m" },
          },
        ),
      ],
      [
        resources.nodes,
        object("node-b", withConditions({ Ready: "True" }), {
          labels: { "node-role.kubernetes.io/master": "", "node-role.kubernetes.io/worker": "" },
        }),
      ],
      [resources.nodes, object("node-c", {})],
    ],
    [
      "node.kubelet.version=1 nodeName:node-c role: kubeletVersion:",
      "node.kubelet.version=1 nodeName:node-b role: kubeletVersion:",
      "node.conditions=1 nodeName:node-a status:Unknown type:Ready spotInstance:false role:worker machineset:set-a",
      "node.conditions=1 nodeName:node-a status:True type:Own spotInstance:false role:worker machineset:set-a",
      "node.kubelet.version=1 nodeName:node-a role:worker kubeletVersion:v1.32.5",
      "node.count=1 role:master",
      "node.count=1 role:worker",
      "node.count=0 role:infra",
      "node.count=1 role:unknown",
    ],
  ],
  [
    "acceptance 7: pods of the customer are ignored, and restarts count from ten on",
    "emitPodConditions",
    [
      [
        resources.pods,
        pod("theirs", "default", { ...withConditions({ Ready: "False" }).status, ...restarts(20) }),
      ],
      [resources.pods, pod("nine", "openshift-etcd", restarts(9))],
      [
        resources.pods,
        pod("ten", "openshift-etcd", {
          ...withConditions({ Ready: "False", Initialized: "True", PodReadyToStartContainers: "True" })
            .status,
          ...restarts(10),
        }),
      ],
    ],
    [
      "pod.conditions=1 name:ten namespace:openshift-etcd nodeName:node-a status:False type:Ready",
      "pod.restartcounter=10 name:ten namespace:openshift-etcd",
    ],
  ],
  [
    "completed and preempted pods, and waiting containers",
    "emitPodConditions",
    [
      [
        resources.pods,
        pod("done", "openshift-etcd", { phase: "Succeeded", ...withConditions({ Ready: "False" }).status }),
      ],
      [
        resources.pods,
        pod("room", "openshift-etcd", { reason: "Preempting", ...withConditions({ Ready: "False" }).status }),
      ],
      [
        resources.pods,
        pod("waits", "openshift-etcd", {
          containerStatuses: [
            {
              name: "c",
              state: { waiting: { reason: "CrashLoopBackOff", message: "m" } },
              lastState: { terminated: { reason: "OOMKilled" } },
            },
          ],
        }),
      ],
    ],
    [
      "pod.containerstatuses=1 name:waits namespace:openshift-etcd nodeName:node-a containername:c reason:CrashLoopBackOff lastTerminationState:OOMKilled",
    ],
  ],
  [
    "virtual machines of customers",
    "emitCNVVirtualMachineInstanceStatuses",
    [
      [
        {
          group: "kubevirt.io",
          version: "v1",
          plural: "virtualmachineinstances",
          kind: "VirtualMachineInstance",
          namespaced: true,
        },
        object(
          "vm",
          {
            status: {
              phase: "Running",
              guestOSInfo: { kernelRelease: "5.14", machine: "x86_64", name: "RHEL", versionId: "9" },
            },
          },
          { namespace: "theirs", labels: { os: "rhel9", workload: "server", flavor: "small" } },
        ),
      ],
    ],
    [
      "cnv.virtualmachineinstance.info=1 namespace:theirs name:vm phase:Running os:rhel9 workload:server flavor:small guest_os_kernel_release:5.14 guest_os_arch:x86_64 guest_os_name:RHEL guest_os_version_id:9",
    ],
  ],
  ["a summary comes once an hour", "emitSummary", [], []],
  [
    "the summary of an hour",
    "emitSummary",
    [
      [
        resources.nodes,
        object(
          "a",
          {},
          { labels: { "node-role.kubernetes.io/master": "", "node-role.kubernetes.io/worker": "" } },
        ),
      ],
      [resources.nodes, object("b", {}, { labels: { "node-role.kubernetes.io/worker": "" } })],
    ],
    [
      "cluster.summary=1 actualVersion:4.19.24 actualMinorVersion:4.19 desiredVersion:4.19.24 masterCount:1 workerCount:2 provisioningState:Succeeded createdAt:2026-01-01 00:00:00 +0000 UTC",
    ],
    { isHourly: true },
  ],
  [
    "flags as on new clusters",
    "emitOperatorFlagsAndSupportBanner",
    [[aroClusters, object("cluster", { spec: { operatorflags: defaultOperatorFlags } })]],
    [],
  ],
  [
    "flags that deviate or are missing, and the banner",
    "emitOperatorFlagsAndSupportBanner",
    [
      [
        aroClusters,
        object("cluster", {
          spec: {
            banner: { content: "ContactSupport" },
            operatorflags: {
              ...defaultOperatorFlags,
              "aro.checker.enabled": "false",
              "aro.banner.enabled": undefined,
            },
          },
        }),
      ],
    ],
    [
      "cluster.nonstandard.operator.featureflags=1 aro.banner.enabled:DNE aro.checker.enabled:false",
      "cluster.nonstandard.banner=1 msg:contact support",
    ],
  ],
  ["no maintenance", "emitMaintenanceState", [], ["cluster.maintenance.pucm=1 state:none"]],
  [
    "maintenance that needs the customer",
    "emitMaintenanceState",
    [],
    ["cluster.maintenance.pucm=1 state:customerActionNeeded"],
    { maintenanceState: "CustomerActionNeeded" },
  ],
  [
    "certificates of a managed domain; one of an own domain would not be read",
    "emitIngressAndAPIServerCertificateExpiry",
    [
      [
        resources.ingressControllers,
        object(
          "default",
          { spec: { defaultCertificate: { name: "x-ingress" } } },
          namespaced("openshift-ingress-operator"),
        ),
      ],
      [
        resources.secrets,
        object(
          "x-ingress",
          { data: { "tls.crt": Buffer.from(certificatePem).toString("base64") } },
          namespaced(operatorNamespace),
        ),
      ],
    ],
    [
      `certificate.expirationdate=${days} namespace:openshift-azure-operator name:x-ingress subject:api.demo`,
      "certificate.secretnotfound=1 namespace:openshift-azure-operator name:x-apiserver",
    ],
  ],
  [
    "a customer's own domain has the customer's certificates",
    "emitIngressAndAPIServerCertificateExpiry",
    [],
    [],
    { clusterProfile: { domain: "aro.example.com", version: "4.19.24", resourceGroupId: "/x" } },
  ],
  ["etcd renews its certificates itself", "emitEtcdCertificateExpiry", [], []],
  [
    "etcd before 4.9 does not",
    "emitEtcdCertificateExpiry",
    [
      [resources.clusterVersions, versionObject([completed("4.8.51")])],
      [resources.secrets, object("etcd-peer-a", {}, namespaced("openshift-etcd"))],
      [resources.secrets, object("other", {}, namespaced("openshift-etcd"))],
    ],
    ["certificate.secretnotfound=1 namespace:openshift-etcd name:etcd-peer-a"],
  ],
  [
    "no proxy",
    "emitCWPStatus",
    [[resources.proxies, object("cluster", { spec: {} })]],
    ["clusterWideProxy.status=1 status:false Message:CWP Not Enabled"],
  ],
  [
    "a service principal",
    "emitClusterAuthenticationType",
    [],
    ["cluster.AuthenticationType=1 type:servicePrincipal"],
  ],
  [
    "the network's MTU",
    "emitNetworkMTU",
    [
      [
        resources.configNetworks,
        object("cluster", { spec: { networkType: "OVNKubernetes" }, status: { clusterNetworkMTU: 1400 } }),
      ],
    ],
    ["network.mtu=1 mtu:1400 network_type:OVNKubernetes"],
  ],
];

for (const [name, collector, objects, expected, properties] of cases) {
  test(`${collector}: ${name}`, async () => {
    const sent = await samplesOf(collector, objects, properties);
    assert.deepEqual(
      sent.map((line) => line.replace(/ thumbprint:[0-9A-F]{40}$/, "")),
      expected,
    );
  });
}

test("every collector has a case here or a separate test, and names are distinct", () => {
  const names = clusterCollectors({ buildId: "", zone: "", podNamespaces: [] }).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const tested = new Set([...cases.map(([, collector]) => collector), "emitPrometheusAlerts"]);
  assert.deepEqual(
    names.filter((name) => !tested.has(name)),
    [],
  );
});
