import type { KubeObject } from "@keelson/apiserver";
import { stringAt, valueAt } from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";
import { configNames, nodeConfigOf } from "../machine-configs/names.ts";
import { needsReboot, unreconcilable } from "../machine-configs/render.ts";
import { bootIdOf } from "../nodes/boot.ts";

export interface DaemonObserved {
  readonly node: KubeObject;
  /** Initial configuration of a new node, taken from its pool. */
  readonly birthConfig: string | undefined;
  readonly current: KubeObject | undefined;
  readonly desired: KubeObject | undefined;
  /** True if the node has just registered. */
  readonly isFirstBoot: boolean;
  /** Error message of an injected fault that stops the daemon. */
  readonly fault: string | undefined;
}

export type DaemonChange =
  | { readonly kind: "none" }
  | { readonly kind: "adopt"; readonly config: string }
  | { readonly kind: "degrade"; readonly reason: string }
  | { readonly kind: "begin" }
  | { readonly kind: "drain" }
  | { readonly kind: "finish" };

/**
 * Plans the next step of a node towards its desired configuration. The states are Working (cordon and drain), Rebooting and Done
 * (uncordoned). The node is Degraded while its desired configuration cannot be applied.
 */
export function planDaemon({
  node,
  birthConfig,
  current,
  desired,
  isFirstBoot,
  fault,
}: DaemonObserved): DaemonChange {
  const config = nodeConfigOf(node);
  if (config.current === undefined)
    return birthConfig ? { kind: "adopt", config: birthConfig } : { kind: "none" };
  if (config.desired === undefined || (config.desired === config.current && config.state === "Done"))
    return { kind: "none" };
  if (config.desired === config.current && config.state !== "Rebooting") return { kind: "finish" };
  if (config.state === "Rebooting") return isBack(node) ? { kind: "finish" } : { kind: "none" };
  const problem = fault ?? unreconcilable(desired, config.desired);
  if (problem !== undefined)
    return config.state === "Degraded" && config.reason === problem
      ? { kind: "none" }
      : { kind: "degrade", reason: problem };
  if (desired && (isFirstBoot || !needsReboot(current, desired))) return { kind: "finish" };
  // A failed drain is retried. After any other failure, the update starts again from the beginning.
  if (config.state === "Working" || isFailedDrain(config.reason)) return { kind: "drain" };
  return { kind: "begin" };
}

/** True if no reboot is pending, or if the node is ready again with the boot ID of the requested reboot. */
function isBack(node: KubeObject): boolean {
  const until = stringMapAt(node, "metadata", "annotations")[configNames.rebootUntil];
  if (until === undefined) return true;
  return (
    conditionStatus(node, "Ready") === "True" &&
    stringAt(node, "status", "nodeInfo", "bootID") === bootIdOf(node, until)
  );
}

export function failedDrain(nodeName: string): string {
  return `failed to drain node: ${nodeName} after 1 hour. Please see machine-config-controller logs for more information`;
}

function isFailedDrain(reason: string): boolean {
  return reason.startsWith("failed to drain node");
}

/** True if a configuration change cordoned the node. False if a user cordoned it. */
export function cordonedForConfig(node: KubeObject): boolean {
  return (
    valueAt(node, "spec", "unschedulable") === true &&
    (stringMapAt(node, "metadata", "annotations")[configNames.desiredDrain] ?? "").startsWith("drain-")
  );
}
