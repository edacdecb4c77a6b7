import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import {
  type Condition,
  type Controller,
  done,
  keyText,
  type Result,
  timestamp,
  watch,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { withConditions } from "../../base/conditions.ts";
import { selectsLabels } from "../../base/label-selector.ts";
import { type Resource, resources } from "../../base/resources.ts";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { activeCondition, limitedCondition, stableCondition } from "./autoscaler-conditions.ts";
import { type Proposal, proposeReplicas } from "./replica-proposal.ts";
import { decideReplicas, type ScalingHistory } from "./scaling-behavior.ts";

const { horizontalPodAutoscalers: resource, pods } = resources;
const source = "horizontal-pod-autoscaler";
/** Evaluation interval in milliseconds: the default --horizontal-pod-autoscaler-sync-period of kube-controller-manager. */
const periodMs = 15_000;

const targets: Readonly<Record<string, Resource>> = {
  "apps/v1 Deployment": resources.deployments,
  "apps/v1 ReplicaSet": resources.replicaSets,
  "apps/v1 StatefulSet": resources.statefulSets,
};

interface OwnHistory extends ScalingHistory {
  /** UID of the autoscaler. A recreated autoscaler with the same name starts with an empty history. */
  readonly uid: string;
}

/** Scaling histories by cluster and autoscaler key. */
const histories = new WeakMap<WorkloadContext, Map<string, OwnHistory>>();

/**
 * Scales Deployments, ReplicaSets and StatefulSets by their pods' resource usage (autoscaling/v2). Evaluates every 15 seconds and
 * after each spec change.
 * @see kubernetes/kubernetes pkg/controller/podautoscaler/horizontal.go
 */
export const podAutoscalers: Controller<WorkloadContext> = {
  name: "pod-autoscalers",
  // Ignores status writes, because only the interval and spec changes trigger an evaluation.
  watches: [
    watch(resource, {
      where: ({ type, object, before }) => type !== "updated" || !isDeepStrictEqual(before.spec, object.spec),
    }),
  ],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const autoscaler = context.informer(resource).get(key);
  if (!autoscaler || autoscaler.metadata.deletionTimestamp !== undefined) {
    histories.get(context)?.delete(keyText(key));
    return done;
  }
  const target = await findTarget(autoscaler, context);
  if (!target) {
    const { kind, name } = scaleTarget(autoscaler);
    const message = `the HPA controller was unable to get the target's current scale: ${kind} "${name}" not found`;
    await warn(context, autoscaler, "FailedGetScale", message);
    await report(context, autoscaler, {
      conditions: [{ type: "AbleToScale", status: "False", reason: "FailedGetScale", message }],
    });
  } else await scale(autoscaler, target, context);
  return { requeueAfterMs: periodMs };
}

interface Target {
  readonly ref: Resource;
  readonly object: KubeObject;
}

async function scale(autoscaler: KubeObject, target: Target, context: WorkloadContext): Promise<void> {
  const current = numberAt(target.object, "spec", "replicas") ?? 1;
  const [min, max] = [
    numberAt(autoscaler, "spec", "minReplicas") ?? 1,
    numberAt(autoscaler, "spec", "maxReplicas") ?? 1,
  ];
  const succeeded: Condition = {
    type: "AbleToScale",
    status: "True",
    reason: "SucceededGetScale",
    message: "the HPA controller was able to get the target's current scale",
  };
  const counts = { currentReplicas: numberAt(target.object, "status", "replicas") ?? 0 };
  if (current === 0 && min !== 0) {
    const conditions = [succeeded, activeCondition("disabled")];
    return report(context, autoscaler, { ...counts, desiredReplicas: 0, conditions, metrics: [] });
  }
  if (current > max || current < min) {
    const [replicas, why] = current > max ? [max, "above Spec.MaxReplicas"] : [min, "below Spec.MinReplicas"];
    const able = await rescale(autoscaler, target, replicas, `Current number of replicas ${why}`, context);
    return report(context, autoscaler, {
      ...counts,
      desiredReplicas: replicas,
      conditions: [able],
      rescaled: true,
    });
  }
  const proposals = listAt(autoscaler, "spec", "metrics").map((metric) =>
    proposeReplicas(metric, podsOf(target.object, context), current),
  );
  const metrics = proposals.flatMap((each) => (each.kind === "replicas" ? [each.current] : []));
  const highest = highestOf(proposals, current);
  if (highest.kind === "failed") {
    await warn(context, autoscaler, highest.reason, highest.message);
    const conditions = [succeeded, activeCondition(highest)];
    return report(context, autoscaler, { ...counts, desiredReplicas: current, conditions, metrics });
  }
  const behavior = valueAt(autoscaler, "spec", "behavior");
  const nowMs = context.clock.now().getTime();
  const decision = decideReplicas(
    highest.replicas,
    current,
    { min, max, behavior },
    historyOf(autoscaler, context),
    nowMs,
  );
  const changes = decision.replicas !== current;
  const why = decision.replicas > current ? `${highest.metric} above target` : "All metrics below target";
  const able = changes
    ? await rescale(autoscaler, target, decision.replicas, why, context)
    : stableCondition(decision);
  await report(context, autoscaler, {
    ...counts,
    desiredReplicas: decision.replicas,
    conditions: [able, activeCondition(highest), limitedCondition(decision)],
    metrics,
    rescaled: changes,
  });
}

/** Returns the proposal with the most replicas. A missing metric prevents scaling down. */
function highestOf(proposals: readonly Proposal[], current: number): Proposal {
  const failure = proposals.find(({ kind }) => kind === "failed");
  const valid = proposals.flatMap((each) => (each.kind === "replicas" ? [each] : []));
  const highest = valid.toSorted((a, b) => b.replicas - a.replicas)[0];
  if (failure && (!highest || highest.replicas < current)) return failure;
  return highest ?? { kind: "failed", reason: "InvalidMetricSourceType", message: "the HPA has no metrics" };
}

async function rescale(
  autoscaler: KubeObject,
  { ref, object }: Target,
  replicas: number,
  why: string,
  context: WorkloadContext,
): Promise<Condition> {
  const { resourceVersion } = object.metadata;
  const before = numberAt(object, "spec", "replicas") ?? 1;
  await context.mergePatch(ref, object.metadata, { metadata: { resourceVersion }, spec: { replicas } });
  const change = replicas - before;
  historyOf(autoscaler, context).changes.push({ atMs: context.clock.now().getTime(), change });
  const message = `New size: ${replicas}; reason: ${why}`;
  await recordEvent(context, autoscaler, { type: "Normal", reason: "SuccessfulRescale", message, source });
  return {
    type: "AbleToScale",
    status: "True",
    reason: "SucceededRescale",
    message: `the HPA controller was able to update the target scale to ${replicas}`,
  };
}

interface Report {
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly conditions: readonly Condition[];
  readonly metrics?: readonly object[];
  readonly rescaled?: boolean;
}

async function report(
  context: WorkloadContext,
  autoscaler: KubeObject,
  { conditions, currentReplicas = 0, desiredReplicas = 0, metrics, rescaled }: Report,
): Promise<void> {
  const now = context.clock.now();
  const present = context.informer(resource).get(autoscaler.metadata) ?? autoscaler;
  await writeStatus(context, resource, present, {
    observedGeneration: autoscaler.metadata.generation,
    lastScaleTime: rescaled ? timestamp(now) : stringAt(autoscaler, "status", "lastScaleTime"),
    currentReplicas,
    desiredReplicas,
    currentMetrics: metrics ?? valueAt(autoscaler, "status", "currentMetrics"),
    conditions: withConditions(autoscaler, conditions, now),
  });
}

function warn(
  context: WorkloadContext,
  autoscaler: KubeObject,
  reason: string,
  message: string,
): Promise<void> {
  return recordEvent(context, autoscaler, { type: "Warning", reason, message, source });
}

async function findTarget(autoscaler: KubeObject, context: WorkloadContext): Promise<Target | undefined> {
  const { apiVersion, kind, name } = scaleTarget(autoscaler);
  const ref = targets[`${apiVersion} ${kind}`];
  if (!ref) return undefined;
  const { namespace = "" } = autoscaler.metadata;
  const object = context.informer(ref).get({ namespace, name });
  return object && { ref, object };
}

function scaleTarget(autoscaler: KubeObject) {
  const member = (name: string) => stringAt(autoscaler, "spec", "scaleTargetRef", name) ?? "";
  return { apiVersion: member("apiVersion"), kind: member("kind"), name: member("name") };
}

function podsOf(target: KubeObject, context: WorkloadContext): readonly KubeObject[] {
  const selector = valueAt(target, "spec", "selector");
  return context
    .informer(pods)
    .list(target.metadata.namespace ?? "")
    .filter(({ metadata }) => selectsLabels(selector, metadata.labels ?? {}));
}

function historyOf(autoscaler: KubeObject, context: WorkloadContext): ScalingHistory {
  const { uid = "" } = autoscaler.metadata;
  const ofCluster = histories.get(context) ?? new Map<string, OwnHistory>();
  histories.set(context, ofCluster);
  const present = ofCluster.get(keyText(autoscaler.metadata));
  if (present?.uid === uid) return present;
  const fresh: OwnHistory = { uid, recommendations: [], changes: [] };
  ofCluster.set(keyText(autoscaler.metadata), fresh);
  return fresh;
}
