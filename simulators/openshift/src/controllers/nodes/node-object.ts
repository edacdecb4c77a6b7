import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import { withConditions } from "../../base/conditions.ts";
import { roleOf, type VirtualMachine } from "../../hypervisor/virtual-machine.ts";
import { type ClusterSettings, kubernetesVersionOf } from "../../settings/cluster-settings.ts";
import { capacityOf } from "./capacity.ts";
import type { KubeletState } from "./plan.ts";

export const machineNamespace = "openshift-machine-api";

/** Returns the Node object that a kubelet registers. */
export function nodeObject(settings: ClusterSettings, vm: VirtualMachine): KubeObject {
  const [zone] = vm.zones;
  const master = roleOf(vm, settings.infraId) === "master";
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: vm.name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/instance-type": vm.vmSize,
        "beta.kubernetes.io/os": "linux",
        "failure-domain.beta.kubernetes.io/region": vm.location,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": vm.name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": vm.vmSize,
        "node.openshift.io/os_id": "rhel",
        "topology.disk.csi.azure.com/zone": zone ? `${vm.location}-${zone}` : "",
        "topology.kubernetes.io/region": vm.location,
        "topology.kubernetes.io/zone": zone ? `${vm.location}-${zone}` : "0",
        ...(master
          ? { "node-role.kubernetes.io/control-plane": "", "node-role.kubernetes.io/master": "" }
          : { "node-role.kubernetes.io/worker": "" }),
      },
      annotations: {
        "csi.volume.kubernetes.io/nodeid": JSON.stringify({ "disk.csi.azure.com": vm.name }),
        "machine.openshift.io/machine": `${machineNamespace}/${vm.name}`,
        "volumes.kubernetes.io/controller-managed-attach-detach": "true",
      },
    },
    spec: {
      providerID: `azure://${vm.id}`,
      ...(master ? { taints: [{ key: "node-role.kubernetes.io/master", effect: "NoSchedule" }] } : {}),
    },
  };
}

/** Most recent boot of a node. */
export interface Boot {
  readonly bootId: string;
  readonly openShiftVersion: string;
}

export interface KubeletReport {
  readonly kubelet: KubeletState;
  readonly diskFull: boolean;
  /** Boot since the last report. Undefined if the node has not booted. */
  readonly boot: Boot | undefined;
}

/**
 * Returns the node status that a kubelet reports. For a silent kubelet, returns the status that the node life cycle controller
 * sets.
 */
export function nodeStatus(
  node: KubeObject,
  vm: VirtualMachine,
  { kubelet, diskFull, boot }: KubeletReport,
  now: Date,
): Record<string, unknown> {
  const { cores, memoryGiB } = capacityOf(vm.vmSize);
  const resources = (milliCores: number, memoryKi: number) => ({
    cpu: milliCores % 1000 === 0 ? String(milliCores / 1000) : `${milliCores}m`,
    "ephemeral-storage": "133682156Ki",
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    memory: `${memoryKi}Ki`,
    pods: "250",
  });
  const memoryKi = memoryGiB * 1024 * 1024;
  return {
    ...objectAt(node, "status"),
    addresses: [
      ...vm.privateIpAddresses.map((address) => ({ type: "InternalIP", address })),
      { type: "Hostname", address: vm.name },
    ],
    capacity: resources(cores * 1000, memoryKi),
    allocatable: resources(cores * 1000 - 500, memoryKi - 1024 * 1024),
    conditions: withHeartbeats(
      node,
      kubelet,
      withConditions(node, conditionsOf(kubelet, diskFull), now),
      now,
    ),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: boot ? nodeInfo(node, boot) : valueAt(node, "status", "nodeInfo"),
  };
}

/**
 * Adds heartbeat times to conditions. If the status of a condition is unchanged, its heartbeat time is unchanged too, so that a
 * repeated report writes nothing. Heartbeats renew this time (`heartbeats.ts`). The conditions of a silent kubelet retain the
 * time of its last heartbeat.
 */
function withHeartbeats(
  node: KubeObject,
  kubelet: KubeletState,
  conditions: readonly unknown[],
  now: Date,
): readonly unknown[] {
  const present = listAt(node, "status", "conditions");
  return conditions.map((condition) => {
    const before = present.find((each) => stringAt(each, "type") === stringAt(condition, "type"));
    const unchanged = stringAt(before, "status") === stringAt(condition, "status");
    const heartbeat = unchanged || kubelet === "silent" ? stringAt(before, "lastHeartbeatTime") : undefined;
    return { ...objectAt(condition), lastHeartbeatTime: heartbeat ?? timestamp(now) };
  });
}

function nodeInfo(node: KubeObject, { bootId, openShiftVersion }: Boot): Record<string, unknown> {
  const release = openShiftVersion.split(".").slice(0, 2).join(".");
  const kubernetesVersion = kubernetesVersionOf(openShiftVersion);
  const { uid = "" } = node.metadata;
  return {
    architecture: "amd64",
    bootID: bootId,
    containerRuntimeVersion: `cri-o://${kubernetesVersion.replace(/\.\d+$/, "")}.5`,
    kernelVersion: "5.14.0-570.62.1.el9_6.x86_64",
    kubeProxyVersion: `v${kubernetesVersion}`,
    kubeletVersion: `v${kubernetesVersion}`,
    machineID: uid.replaceAll("-", ""),
    operatingSystem: "linux",
    osImage: `Red Hat Enterprise Linux CoreOS 9.6 (Plow) (OpenShift ${release})`,
    systemUUID: uid,
  };
}

function conditionsOf(kubelet: KubeletState, diskFull: boolean): readonly Condition[] {
  const silent = kubelet === "silent";
  const pressure = (type: string, reason: string, message: string): Condition =>
    silent
      ? {
          type,
          status: "Unknown",
          reason: "NodeStatusUnknown",
          message: "Kubelet stopped posting node status.",
        }
      : { type, status: "False", reason, message };
  return [
    pressure("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    diskFull && !silent
      ? {
          type: "DiskPressure",
          status: "True",
          reason: "KubeletHasDiskPressure",
          message: "kubelet has disk pressure",
        }
      : pressure("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    pressure("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    readyCondition(kubelet),
  ];
}

function readyCondition(kubelet: KubeletState): Condition {
  switch (kubelet) {
    case "ready":
      return {
        type: "Ready",
        status: "True",
        reason: "KubeletReady",
        message: "kubelet is posting ready status",
      };
    case "starting":
      return {
        type: "Ready",
        status: "False",
        reason: "KubeletNotReady",
        message: "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady",
      };
    case "rebooting":
      return {
        type: "Ready",
        status: "False",
        reason: "KubeletNotReady",
        message: "node is shutting down",
      };
    case "silent":
      return {
        type: "Ready",
        status: "Unknown",
        reason: "NodeStatusUnknown",
        message: "Kubelet stopped posting node status.",
      };
  }
}
