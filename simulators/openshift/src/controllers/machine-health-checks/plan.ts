import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, parseGoDuration, stringAt, valueAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";
import { conditionOf, withConditions } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { selectsLabels } from "../../base/label-selector.ts";

/** Annotation of Machines for an external remediation controller. */
export const externalRemediation = "host.metal3.io/external-remediation";
const pausedAnnotation = "cluster.x-k8s.io/paused";

export interface HealthCheckObserved {
  readonly check: KubeObject;
  /** All Machines in the namespace of the health check. */
  readonly machines: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
  readonly now: Date;
}

export interface HealthCheckPlan {
  /** Names of Machines that the controller deletes. */
  readonly delete: readonly string[];
  /** Names of Machines that the controller marks for external remediation. */
  readonly mark: readonly string[];
  readonly status: Readonly<Record<string, unknown>>;
  /** Milliseconds until the next unhealthy node reaches its timeout. */
  readonly nextMs: number | undefined;
}

/**
 * Selects the Machines to replace. A Machine is replaced if its node is unhealthy for longer than the timeout, or did not
 * register in time. Machines that no controller replaces, such as Machines without a MachineSet, are skipped. No Machine is
 * replaced while more than `maxUnhealthy` Machines are unhealthy.
 */
export function planHealthCheck({ check, machines, nodes, now }: HealthCheckObserved): HealthCheckPlan {
  const paused = pausedAnnotation in stringMapAt(check, "metadata", "annotations");
  const selector = valueAt(check, "spec", "selector");
  const targets = machines.filter(
    (machine) =>
      selector !== undefined && selectsLabels(selector, stringMapAt(machine, "metadata", "labels")),
  );
  const nodesByName = new Map(nodes.map((node) => [node.metadata.name, node]));
  const verdicts = targets.map((machine) => {
    const node = nodesByName.get(stringAt(machine, "status", "nodeRef", "name") ?? "");
    return { machine, ...judge(check, machine, node, now) };
  });
  const unhealthy = verdicts.filter(({ healthy }) => !healthy);
  const allowed = maxUnhealthyOf(valueAt(check, "spec", "maxUnhealthy"), targets.length);
  const remediates = !paused && unhealthy.length <= allowed;
  const due = remediates
    ? verdicts.filter(({ overdue, machine }) => overdue && isReplaced(machine)).map(({ machine }) => machine)
    : [];
  const marks = stringMapAt(check, "metadata", "annotations")["machine.openshift.io/remediation-strategy"];
  const external = marks === "external-baremetal";
  const waits = verdicts.flatMap(({ dueMs }) => (dueMs === undefined || !remediates ? [] : [dueMs]));
  const names = (some: readonly KubeObject[]) => some.map(({ metadata }) => metadata.name);
  return {
    delete: external ? [] : names(due),
    mark: external ? names(due.filter(({ metadata }) => !metadata.annotations?.[externalRemediation])) : [],
    nextMs: waits.length > 0 ? Math.min(...waits) : undefined,
    status: {
      ...objectAt(check, "status"),
      expectedMachines: targets.length,
      currentHealthy: targets.length - unhealthy.length,
      remediationsAllowed: paused ? 0 : Math.max(0, allowed - unhealthy.length),
      conditions: withConditions(check, [allowance(check, targets.length, unhealthy.length, allowed)], now),
    },
  };
}

interface Verdict {
  readonly healthy: boolean;
  readonly overdue: boolean;
  /** Milliseconds until the unhealthy node reaches its timeout. */
  readonly dueMs?: number;
}

function judge(check: KubeObject, machine: KubeObject, node: KubeObject | undefined, now: Date): Verdict {
  if (machine.metadata.deletionTimestamp !== undefined) return { healthy: false, overdue: false };
  if (stringAt(machine, "status", "phase") === "Failed") return { healthy: false, overdue: true };
  if (!node) {
    const named = stringAt(machine, "status", "nodeRef", "name") !== undefined;
    if (named) return { healthy: false, overdue: true };
    const limitMs = durationMs(stringAt(check, "spec", "nodeStartupTimeout") ?? "10m");
    const since = stringAt(machine, "status", "lastUpdated") ?? machine.metadata.creationTimestamp;
    // The value 0 disables the timeout for nodes that do not register (machine.openshift.io/v1beta1).
    return limitMs === 0 ? { healthy: true, overdue: false } : after(since, limitMs, now);
  }
  const verdicts = listAt(check, "spec", "unhealthyConditions")
    .filter((rule) => conditionStatus(node, stringAt(rule, "type") ?? "") === stringAt(rule, "status"))
    .map((rule) => {
      const since = stringAt(conditionOf(node, stringAt(rule, "type") ?? ""), "lastTransitionTime");
      return after(since, durationMs(stringAt(rule, "timeout") ?? "0s"), now);
    });
  const dues = verdicts.flatMap(({ dueMs }) => (dueMs === undefined ? [] : [dueMs]));
  return {
    healthy: verdicts.length === 0,
    overdue: verdicts.some(({ overdue }) => overdue),
    ...(dues.length > 0 ? { dueMs: Math.min(...dues) } : {}),
  };
}

function after(since: string | undefined, limitMs: number, now: Date): Verdict {
  const leftMs = (since === undefined ? now.getTime() : Date.parse(since)) + limitMs - now.getTime();
  return leftMs <= 0 ? { healthy: false, overdue: true } : { healthy: false, overdue: false, dueMs: leftMs };
}

/** True if a controller replaces the Machine after its deletion. False if the Machine is already terminating. */
function isReplaced(machine: KubeObject): boolean {
  return (
    machine.metadata.deletionTimestamp === undefined &&
    (machine.metadata.ownerReferences?.some(({ controller }) => controller) ?? false)
  );
}

/** Resolves a number or a percentage of the machines, rounded down. Default: no limit. */
function maxUnhealthyOf(value: unknown, machines: number): number {
  if (value === undefined || value === null) return machines;
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  if (percent !== undefined) return Math.floor((Number(percent) * machines) / 100);
  const count = Number(value);
  return Number.isFinite(count) ? Math.max(0, count) : machines;
}

function allowance(check: KubeObject, total: number, unhealthy: number, allowed: number): Condition {
  if (unhealthy <= allowed) return { type: "RemediationAllowed", status: "True" };
  return {
    type: "RemediationAllowed",
    status: "False",
    reason: "TooManyUnhealthy",
    message: `Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: ${total}, unhealthy: ${unhealthy}, maxUnhealthy: ${String(valueAt(check, "spec", "maxUnhealthy"))})`,
  };
}

/** Parses a Go duration to milliseconds. Returns 0 for other strings. */
function durationMs(text: string): number {
  const parsed = parseGoDuration(text);
  return parsed.kind === "duration" ? parsed.ms : 0;
}
