import type { KubeObject } from "@keelson/apiserver";
import { objectAt, stringAt, valueAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";
import { withConditions } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { nodeConfigOf } from "../machine-configs/names.ts";
import type { RenderOutcome } from "../machine-configs/render.ts";

export interface PoolObserved {
  /** Pool. Its target configuration is `spec.configuration`. */
  readonly pool: KubeObject;
  readonly nodes: readonly KubeObject[];
  /** Reason for a failed rendering of the pool's configs. */
  readonly renderProblem: string | undefined;
  readonly now: Date;
}

/** Returns the `configuration` field of a pool: the name and sources of a rendered config. */
export function configurationOf(
  rendered: RenderOutcome & { readonly kind: "rendered" },
  sources: readonly KubeObject[],
): Record<string, unknown> {
  return {
    name: rendered.name,
    source: sources
      .map(({ metadata }) => metadata.name)
      .toSorted()
      .map((name) => ({ apiVersion: "machineconfiguration.openshift.io/v1", kind: "MachineConfig", name })),
  };
}

/** Returns the nodes that may start the update now without exceeding `maxUnavailable`. */
export function nodesToUpdate(pool: KubeObject, nodes: readonly KubeObject[]): readonly KubeObject[] {
  const target = targetOf(pool);
  if (target === undefined || valueAt(pool, "spec", "paused") === true) return [];
  const limit = maxUnavailableOf(valueAt(pool, "spec", "maxUnavailable"), nodes.length);
  const failing = nodes.filter((node) => nodeConfigOf(node).desired === target && isDegraded(node));
  const unavailable = nodes.filter(isUnavailable);
  const capacity = limit - unavailable.length - failing.filter((node) => !unavailable.includes(node)).length;
  // Degraded nodes receive a new configuration immediately because the new configuration may fix them.
  const stuck = nodes.filter((node) => isDegraded(node) && nodeConfigOf(node).desired !== target);
  const idle = nodes
    .filter((node) => nodeConfigOf(node).current !== undefined && nodeConfigOf(node).desired !== target)
    .filter((node) => !isUnavailable(node))
    .toSorted(byZoneThenAge);
  return [...stuck, ...idle.slice(0, Math.max(0, capacity))];
}

/** Resolves a number or a percentage of the nodes, rounded down. Default and minimum: 1. */
export function maxUnavailableOf(value: unknown, nodes: number): number {
  const percent = typeof value === "string" ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  const wanted = percent === undefined ? Number(value ?? 1) : Math.floor((Number(percent) * nodes) / 100);
  return Number.isFinite(wanted) ? Math.max(1, Math.floor(wanted)) : 1;
}

/** Computes the status of a pool. Source: openshift/machine-config-operator pkg/controller/node/status.go. */
export function poolStatus({ pool, nodes, renderProblem, now }: PoolObserved): Record<string, unknown> {
  const target = targetOf(pool) ?? "";
  const updated = nodes.filter((node) => isUpdated(node, target));
  const ready = updated.filter(isReady);
  const unavailable = nodes.filter(isUnavailable);
  const degraded = nodes.filter(isDegraded);
  const allUpdated =
    target !== "" &&
    updated.length === nodes.length &&
    ready.length === nodes.length &&
    unavailable.length === 0;
  const reasons = degraded
    .filter((node) => nodeConfigOf(node).reason !== "")
    .map((node) => `Node ${node.metadata.name} is reporting: ${JSON.stringify(nodeConfigOf(node).reason)}`)
    .join(", ");
  const paused = valueAt(pool, "spec", "paused") === true;
  const flag = (type: string, holds: boolean, message = "", reason = ""): Condition => ({
    type,
    status: holds ? "True" : "False",
    reason,
    message,
  });
  const updating = paused
    ? `Pool is paused; will not update to MachineConfig ${target}`
    : `All nodes are updating to MachineConfig ${target}`;
  const conditions = [
    flag(
      "RenderDegraded",
      renderProblem !== undefined,
      renderProblem === undefined
        ? ""
        : `Failed to render configuration for pool ${pool.metadata.name}: ${renderProblem}`,
    ),
    flag("Updated", allUpdated, allUpdated ? `All nodes are updated with MachineConfig ${target}` : ""),
    flag("Updating", !allUpdated && !paused, allUpdated ? "" : updating),
    degraded.length > 0
      ? flag("NodeDegraded", true, reasons, `${degraded.length} nodes are reporting degraded status on sync`)
      : flag("NodeDegraded", false),
    flag("Degraded", degraded.length > 0 || renderProblem !== undefined, reasons),
  ];
  const before = objectAt(pool, "status");
  const configuration = allUpdated ? valueAt(pool, "spec", "configuration") : before.configuration;
  return {
    ...before,
    observedGeneration: pool.metadata.generation ?? 1,
    ...(configuration === undefined ? {} : { configuration }),
    machineCount: nodes.length,
    updatedMachineCount: updated.length,
    readyMachineCount: ready.length,
    unavailableMachineCount: unavailable.length,
    degradedMachineCount: degraded.length,
    conditions: withConditions(pool, conditions, now),
  };
}

export function targetOf(pool: KubeObject): string | undefined {
  return stringAt(pool, "spec", "configuration", "name") || undefined;
}

function isUpdated(node: KubeObject, target: string): boolean {
  const { current, desired, state } = nodeConfigOf(node);
  return current === target && desired === target && state === "Done";
}

function isReady(node: KubeObject): boolean {
  return conditionStatus(node, "Ready") === "True" && valueAt(node, "spec", "unschedulable") !== true;
}

/** True if the node is unavailable or its update has started. */
function isUnavailable(node: KubeObject): boolean {
  const { current, desired, state } = nodeConfigOf(node);
  return !isReady(node) || current === undefined || current !== desired || state !== "Done";
}

function isDegraded(node: KubeObject): boolean {
  const { state } = nodeConfigOf(node);
  return state === "Degraded" || state === "Unreconcilable";
}

function byZoneThenAge(a: KubeObject, b: KubeObject): number {
  const zone = (node: KubeObject) =>
    stringMapAt(node, "metadata", "labels")["topology.kubernetes.io/zone"] ?? "";
  const createdAt = (node: KubeObject) => node.metadata.creationTimestamp ?? "";
  return (
    zone(a).localeCompare(zone(b)) ||
    createdAt(a).localeCompare(createdAt(b)) ||
    a.metadata.name.localeCompare(b.metadata.name)
  );
}
