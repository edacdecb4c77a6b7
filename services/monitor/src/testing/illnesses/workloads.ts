import { eventually } from "@keelson/base/testing/eventually";
import { type KubeResource, resources } from "@keelson/kube";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import { type Figure, fault, type Illness } from "./illness.ts";

const etcd = "openshift-etcd";
const ofPod = (name: string, namespace = etcd) => ({ name, namespace, nodeName: "" });
const condition = (type: string, status: string) => ({ type, status });
const healthy = ["Initialized", "PodScheduled", "ContainersReady", "Ready", "PodReadyToStartContainers"];

/** Creates a pod without a node, so that its status does not change. */
async function putPod(
  cluster: SimulatedCluster,
  namespace: string,
  name: string,
  { ill = [], restarts = 0 }: { readonly ill?: readonly string[]; readonly restarts?: number },
): Promise<void> {
  const status = {
    phase: "Running",
    conditions: healthy.map((type) => condition(type, ill.includes(type) ? "False" : "True")),
    containerStatuses: [
      {
        name: "main",
        image: "busybox",
        imageID: "",
        ready: true,
        restartCount: restarts,
        state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
      },
    ],
  };
  const spec = { schedulerName: "none", containers: [{ name: "main", image: "busybox" }] };
  await cluster.put(resources.pods, { metadata: { namespace, name }, spec, status });
}

const remove = (
  cluster: SimulatedCluster,
  ...pods: readonly (readonly [namespace: string, name: string])[]
) =>
  Promise.all(
    pods.map(([namespace, name]) =>
      cluster.kube.delete(resources.pods, { namespace, name }, cluster.signal, { gracePeriodSeconds: 0 }),
    ),
  );

const firing = (alert: string, count: number): Figure => [
  "prometheus.alerts",
  count,
  { alert, severity: "critical" },
];
const watchdog: Figure = ["prometheus.alerts", 1, { alert: "Watchdog", severity: "none" }];
const alertIllness = (title: string, more: NonNullable<Illness["begin"]>): Illness => ({
  collector: "emitPrometheusAlerts",
  title,
  async begin(cluster) {
    const alert = (namespace: string) =>
      fault("alert", { alert: "KubePodCrashLooping", severity: "critical", namespace })(cluster);
    const cures = [
      await alert("openshift-monitoring"),
      await alert("openshift-monitoring"),
      await alert("customer"),
      await more(cluster),
    ];
    return async () => {
      for (const cure of cures) await cure();
    };
  },
  well: [["prometheus.alerts.count", 1, {}], watchdog],
  // The count consists of three alerts and the alert Watchdog, which always fires.
  ill: [["prometheus.alerts.count", 4, {}], watchdog, firing("KubePodCrashLooping", 2)],
});

export const workloadIllnesses: readonly Illness[] = [
  {
    collector: "emitPodConditions",
    title: "acceptance 7: pods that are not ready, one of the platform and one of the customer",
    async begin(cluster) {
      await putPod(cluster, "default", "theirs", { ill: ["Ready"] });
      await putPod(cluster, etcd, "ours", { ill: ["Ready"] });
      return () => remove(cluster, ["default", "theirs"], [etcd, "ours"]);
    },
    well: [],
    ill: [["pod.conditions", 1, { ...ofPod("ours"), ...condition("Ready", "False") }]],
  },
  {
    collector: "emitPodConditions",
    title: "acceptance 7: pods that began nine and ten times again",
    async begin(cluster) {
      await putPod(cluster, etcd, "nine", { restarts: 9 });
      await putPod(cluster, etcd, "ten", { restarts: 10 });
      return () => remove(cluster, [etcd, "nine"], [etcd, "ten"]);
    },
    well: [],
    ill: [["pod.restartcounter", 10, { name: "ten", namespace: etcd }]],
  },
  {
    collector: "emitPodConditions",
    title: "a pod that crashes again and again",
    async begin(cluster) {
      const {
        workers: [nodeName = ""],
      } = await cluster.names();
      const containers = [{ name: "main", image: "busybox", command: ["false"] }];
      await cluster.put(resources.pods, {
        metadata: { namespace: etcd, name: "crashing" },
        spec: { nodeName, containers },
      });
      return () => remove(cluster, [etcd, "crashing"]);
    },
    well: [],
    ill: async (cluster) => {
      const {
        workers: [nodeName = ""],
      } = await cluster.names();
      const place = { name: "crashing", namespace: etcd, nodeName };
      return [
        ["pod.conditions", 1, { ...place, ...condition("ContainersReady", "False") }],
        ["pod.conditions", 1, { ...place, ...condition("Ready", "False") }],
        [
          "pod.containerstatuses",
          1,
          { ...place, containername: "main", reason: "CrashLoopBackOff", lastTerminationState: "Error" },
        ],
      ];
    },
  },
  {
    collector: "emitCNVVirtualMachineInstanceStatuses",
    title: "a virtual machine that is paused",
    async begin(cluster) {
      await cluster.put(resources.namespaces, { metadata: { name: "customer" } });
      await cluster.put(resources.customResourceDefinitions, virtualMachineDefinition);
      await eventually(() =>
        cluster.put(virtualMachines, {
          metadata: { namespace: "customer", name: "vm", labels: { os: "rhel9" } },
          status: { phase: "Paused", guestOSInfo: { name: "Red Hat Enterprise Linux", machine: "x86_64" } },
        }),
      );
      return () =>
        cluster.kube.delete(
          resources.customResourceDefinitions,
          { name: virtualMachineDefinition.metadata.name },
          cluster.signal,
        );
    },
    well: [],
    ill: [
      [
        "cnv.virtualmachineinstance.info",
        1,
        {
          namespace: "customer",
          name: "vm",
          phase: "Paused",
          os: "rhel9",
          workload: "",
          flavor: "",
          guest_os_kernel_release: "",
          guest_os_arch: "x86_64",
          guest_os_name: "Red Hat Enterprise Linux",
          guest_os_version_id: "",
        },
      ],
    ],
  },
  alertIllness("acceptance 8: alerts of one name, and one of the customer", async () => () => undefined),
  alertIllness(
    "acceptance 8: the same while the first Alertmanager is out of reach",
    fault("port-unreachable", { namespace: "openshift-monitoring", pod: "alertmanager-main-0" }),
  ),
];

const virtualMachines: KubeResource = {
  group: "kubevirt.io",
  version: "v1",
  plural: "virtualmachineinstances",
  kind: "VirtualMachineInstance",
  namespaced: true,
};

const virtualMachineDefinition = {
  metadata: { name: "virtualmachineinstances.kubevirt.io" },
  spec: {
    group: "kubevirt.io",
    scope: "Namespaced",
    names: { plural: "virtualmachineinstances", kind: "VirtualMachineInstance" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
