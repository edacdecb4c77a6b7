import { aborted, type Clock, listAt, messageOf, stringAt } from "@keelson/base";
import { type Condition, type Controller, done, named, watchFor, watchSource } from "@keelson/controller";
import { isConflict, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { managementState } from "../operator/management-state.ts";
import { managedObjects, type OperatorParts } from "../operator/operator-controller.ts";
import { operatorChanged, operatorKey } from "../operator/operator-resource.ts";
import {
  ClusterOperatorStatus,
  type ClusterOperatorVersion,
  type RelatedObject,
} from "./cluster-operator-status.ts";
import type { OperatorVersions } from "./operator-versions.ts";
import { type Inertia, type ReportedCondition, unionCondition } from "./union-condition.ts";

export interface OperatorStatusOptions {
  /** Resource of the operator's configuration. */
  readonly resource: KubeResource;
  /** Name of the ClusterOperator. */
  readonly name: string;
  readonly versions: OperatorVersions;
  readonly relatedObjects: readonly RelatedObject[];
  /**
   * Time for which a condition must be bad before it affects the ClusterOperator. It applies to condition types that end in
   * `Degraded`. Default: two minutes.
   */
  readonly inertia?: Inertia;
}

const reported = [
  { type: "Degraded", good: "False" },
  { type: "Progressing", good: "False" },
  { type: "Available", good: "True" },
  { type: "Upgradeable", good: "True" },
  { type: "EvaluationConditionsDetected", good: "False" },
] as const;

const twoMinutes: Inertia = () => 120_000;

/**
 * Inertia for static pod operators. It is ten minutes for conditions that depend on nodes, and two minutes for all other
 * conditions.
 */
export const staticPodInertia: Inertia = (type) =>
  ["NodeControllerDegraded", "StaticPodsDegraded", "GuardControllerDegraded"].includes(type)
    ? 600_000
    : 120_000;

/**
 * Writes the ClusterOperator. Its status consists of the merged conditions of the operator, the versions and the related objects.
 */
export function operatorStatus<Parts extends OperatorParts>({
  resource,
  name,
  versions,
  relatedObjects,
  inertia = twoMinutes,
}: OperatorStatusOptions): Controller<Parts> {
  const controller = `StatusSyncer_${name}`;
  const fieldSelector = `metadata.name=${name}`;
  return {
    name: controller,
    watches: [
      operatorChanged(resource),
      watchFor(resources.clusterOperators, operatorKey, { selection: { fieldSelector }, where: named(name) }),
      watchSource(async (add, _, signal) => {
        using _subscription = versions.subscribe(() => add(operatorKey));
        await aborted(signal);
      }),
    ],
    initialKeys: [operatorKey],
    maxRetryMs: 60_000,
    async reconcile(_, parts, { signal, logger }) {
      const { clock, events } = parts;
      const status = new ClusterOperatorStatus({ ...parts, name });
      const before = await status.find(signal);
      versions.seed(versionsOf(before));
      const configuration = parts.operator.find();
      if (!configuration) {
        const message = `${resource.kind} ${operatorKey.name} not found`;
        if (before) events.report({ type: "Warning", reason: "StatusNotFound", message });
        const objects = managedObjects(parts, controller, signal, logger);
        await objects.remove(resources.clusterOperators, { name });
        return done;
      }
      const { conditions, requeueAfterMs } = unionOf(configuration, clock, inertia);
      const report = { conditions, versions: versions.list(), relatedObjects };
      try {
        if (await status.report(report, signal))
          for (const event of changeEvents(name, before, report)) events.report(event);
      } catch (error) {
        if (!before && !isConflict(error) && !signal.aborted)
          events.report({ type: "Warning", reason: "StatusCreateFailed", message: messageOf(error) });
        throw error;
      }
      return requeueAfterMs === undefined ? done : { requeueAfterMs };
    },
  };
}

function unionOf(configuration: KubeObject, clock: Clock, inertia: Inertia) {
  if (managementState(configuration) === "Unmanaged") {
    const unknown = { status: "Unknown", reason: "Unmanaged" } as const;
    return { conditions: reported.map(({ type }): Condition => ({ type, ...unknown })) };
  }
  const all = listAt(configuration, "status", "conditions") as readonly ReportedCondition[];
  const now = clock.now();
  const unions = reported.map(({ type, good }) =>
    unionCondition(type, good, all, now, type === "Degraded" ? inertia : undefined),
  );
  const times = unions.flatMap(({ againAt }) => againAt?.getTime() ?? []);
  const conditions = unions.map(({ condition }) => condition);
  if (times.length === 0) return { conditions };
  return { conditions, requeueAfterMs: Math.max(1_000, Math.min(...times) - now.getTime()) };
}

function versionsOf(clusterOperator: KubeObject | undefined): readonly ClusterOperatorVersion[] {
  return listAt(clusterOperator, "status", "versions").map((each) => ({
    name: stringAt(each, "name") ?? "",
    version: stringAt(each, "version") ?? "",
  }));
}

function changeEvents(
  name: string,
  before: KubeObject | undefined,
  after: { readonly conditions: readonly Condition[]; readonly versions: readonly ClusterOperatorVersion[] },
) {
  const present = listAt(before, "status", "conditions");
  const changes = after.conditions.flatMap(({ type, status, message = "" }) => {
    const old = present.find((each) => stringAt(each, "type") === type);
    const [oldStatus, oldMessage] = [stringAt(old, "status"), stringAt(old, "message") ?? ""];
    if (oldStatus === undefined) return [`${type} set to ${status} (${JSON.stringify(message)})`];
    if (oldStatus !== status)
      return [`${type} changed from ${oldStatus} to ${status} (${JSON.stringify(message)})`];
    if (oldMessage !== message)
      return [`${type} message changed from ${JSON.stringify(oldMessage)} to ${JSON.stringify(message)}`];
    return [];
  });
  const old = new Map(versionsOf(before).map((each) => [each.name, each.version]));
  const moved = after.versions
    .filter((each) => old.get(each.name) !== each.version)
    .map((each) => ({
      type: "Normal" as const,
      reason: "OperatorVersionChanged",
      message: `clusteroperator/${name} version ${JSON.stringify(each.name)} changed from ${JSON.stringify(old.get(each.name) ?? "")} to ${JSON.stringify(each.version)}`,
    }));
  if (changes.length === 0) return moved;
  const message = `Status for clusteroperator/${name} changed: ${changes.join(",")}`;
  return [{ type: "Normal" as const, reason: "OperatorStatusChanged", message }, ...moved];
}
