import type { KubeObject } from "@keelson/apiserver";
import { conditionStatus } from "@keelson/kube";
import type { ObservedMachine } from "../../hypervisor/machine-view.ts";
import { roleOf } from "../../hypervisor/virtual-machine.ts";
import type { ClusterSettings } from "../../settings/cluster-settings.ts";
import type { Timings } from "../../settings/timings.ts";
import { rebootUntil } from "./boot.ts";

export interface NodeObserved {
  readonly settings: ClusterSettings;
  readonly vm: ObservedMachine | undefined;
  readonly node: KubeObject | undefined;
  /** True if a fault stops the kubelet's reports. */
  readonly silenced?: boolean;
  readonly now: Date;
  readonly timings: Timings;
}

/** Kubelet state. `rebooting`: the machine is shutting down or has not booted yet. */
export type KubeletState = "starting" | "ready" | "rebooting" | "silent";

export type NodeChange =
  | { readonly kind: "none" }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "register"; readonly vm: ObservedMachine }
  | {
      readonly kind: "report";
      readonly node: KubeObject;
      readonly vm: ObservedMachine;
      readonly kubelet: KubeletState;
      readonly nextMs?: number;
    }
  | { readonly kind: "remove"; readonly node: KubeObject };

/**
 * Plans the next step of a node. A booting machine registers its node, which becomes ready later. The kubelet of a stopped
 * machine is silent. The node of a deleted machine is deleted. On real clusters, the cloud provider's node life cycle controller
 * deletes such nodes. The bootstrap machine never registers a node.
 */
export function planNode({ settings, vm, node, silenced = false, now, timings }: NodeObserved): NodeChange {
  if (!vm) return node ? { kind: "remove", node } : { kind: "none" };
  if (roleOf(vm, settings.infraId) === "bootstrap") return { kind: "none" };
  if (!vm.runningSince || (silenced && node))
    return node ? { kind: "report", node, vm, kubelet: "silent" } : { kind: "none" };
  const runningMs = now.getTime() - vm.runningSince.getTime();
  const bootMs = timings.nodeBootMs - runningMs;
  if (!node) return bootMs > 0 ? { kind: "wait", ms: bootMs } : { kind: "register", vm };
  const reboot = rebootUntil(node);
  const downMs = reboot ? reboot.at.getTime() - now.getTime() : 0;
  if (downMs > 0) return { kind: "report", node, vm, kubelet: "rebooting", nextMs: downMs };
  if (reboot) return { kind: "report", node, vm, kubelet: "ready" };
  // A node stays ready after a restart of this process.
  if (conditionStatus(node, "Ready") === "True") return { kind: "report", node, vm, kubelet: "ready" };
  const readyMs = bootMs + timings.nodeReadyMs;
  if (readyMs <= 0) return { kind: "report", node, vm, kubelet: "ready" };
  const kubelet = bootMs > 0 && conditionStatus(node, "Ready") !== undefined ? "silent" : "starting";
  return { kind: "report", node, vm, kubelet, nextMs: readyMs };
}
