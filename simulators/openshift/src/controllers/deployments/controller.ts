import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { objectAt, valueAt } from "@keelson/base";
import {
  type Controller,
  controllerReference,
  done,
  type Result,
  watch,
  watchOwned,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import {
  type DeploymentPlan,
  hashLabel,
  limitsOf,
  planDeployment,
  replicasOf,
  revisionAnnotation,
} from "./plan.ts";
import { deploymentStatus } from "./status.ts";

const { deployments: resource, replicaSets } = resources;
/** Annotations that the controller does not copy from a Deployment to its ReplicaSets. */
const own = new Set(["kubectl.kubernetes.io/last-applied-configuration", revisionAnnotation]);

/** Deployment controller. Creates one ReplicaSet per template revision and scales them during a rollout. */
export const deployments: Controller<WorkloadContext> = {
  name: "deployments",
  watches: [watch(resource), watchOwned(replicaSets, resource)],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const deployment = context.informer(resource).get(key);
  if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return done;
  const uid = deployment.metadata.uid ?? "";
  const plan = planDeployment(deployment, context.informer(replicaSets).by("controller", uid));
  if (plan.create) await createReplicaSet(deployment, plan.create, context);
  for (const { replicaSet, replicas } of plan.scale) {
    await context.update(replicaSets, { ...replicaSet, spec: { ...objectAt(replicaSet, "spec"), replicas } });
    const before = replicasOf(replicaSet);
    await recordEvent(context, deployment, {
      type: "Normal",
      reason: "ScalingReplicaSet",
      message: `Scaled ${replicas > before ? "up" : "down"} replica set ${replicaSet.metadata.name} from ${before} to ${replicas}`,
      source: "deployment-controller",
    });
  }
  for (const replicaSet of plan.forget) await context.delete(replicaSets, replicaSet);
  if (plan.current) await annotate(deployment, plan.current, plan.revision, context);
  const shown = await withRevision(deployment, plan, context);
  const owned = context.informer(replicaSets).by("controller", uid);
  const { current } = planDeployment(shown, owned);
  const { status, deadlineMs } = deploymentStatus(shown, owned, current, context.clock.now());
  await writeStatus(context, resource, shown, status);
  return deadlineMs === undefined ? done : { requeueAfterMs: deadlineMs + 10 };
}

async function withRevision(
  deployment: KubeObject,
  plan: DeploymentPlan,
  context: WorkloadContext,
): Promise<KubeObject> {
  const revision = String(plan.revision);
  if (stringMapAt(deployment, "metadata", "annotations")[revisionAnnotation] === revision) return deployment;
  const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: revision };
  return context.update(resource, { ...deployment, metadata: { ...deployment.metadata, annotations } });
}

/**
 * Copies the Deployment's annotations to the current ReplicaSet. `kubectl rollout history` reads the annotations of the
 * ReplicaSets.
 */
async function annotate(
  deployment: KubeObject,
  replicaSet: KubeObject,
  revision: number,
  context: WorkloadContext,
): Promise<void> {
  const present = context.informer(replicaSets).get(replicaSet.metadata) ?? replicaSet;
  const before = present.metadata.annotations ?? {};
  const history = "deployment.kubernetes.io/revision-history";
  const moved = before[revisionAnnotation] !== undefined && before[revisionAnnotation] !== String(revision);
  const annotations = {
    ...before,
    ...annotationsFor(deployment, revision),
    ...(moved ? { [history]: [before[history], before[revisionAnnotation]].filter(Boolean).join(",") } : {}),
  };
  const minReadySeconds = valueAt(deployment, "spec", "minReadySeconds");
  const spec = {
    ...objectAt(present, "spec"),
    ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
  };
  if (isDeepStrictEqual(before, annotations) && isDeepStrictEqual(spec, present.spec)) return;
  await context.update(replicaSets, { ...present, metadata: { ...present.metadata, annotations }, spec });
}

function annotationsFor(deployment: KubeObject, revision: number): Record<string, string> {
  const { replicas, maxSurge } = limitsOf(deployment);
  return {
    ...Object.fromEntries(
      Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !own.has(name)),
    ),
    "deployment.kubernetes.io/desired-replicas": String(replicas),
    "deployment.kubernetes.io/max-replicas": String(replicas + maxSurge),
    [revisionAnnotation]: String(revision),
  };
}

async function createReplicaSet(
  deployment: KubeObject,
  { hash, revision, replicas }: NonNullable<DeploymentPlan["create"]>,
  context: WorkloadContext,
): Promise<void> {
  const { name, namespace } = deployment.metadata;
  const template = objectAt(deployment, "spec", "template");
  const labels = { ...stringMapAt(template, "metadata", "labels"), [hashLabel]: hash };
  const selector = objectAt(deployment, "spec", "selector");
  const minReadySeconds = valueAt(deployment, "spec", "minReadySeconds");
  try {
    await context.create(replicaSets, {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name: `${name}-${hash}`,
        ...(namespace === undefined ? {} : { namespace }),
        labels,
        annotations: annotationsFor(deployment, revision),
        ownerReferences: [controllerReference(deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
        selector: {
          ...selector,
          matchLabels: { ...stringMapAt(selector, "matchLabels"), [hashLabel]: hash },
        },
        template: { ...template, metadata: { ...objectAt(template, "metadata"), labels } },
      },
    });
  } catch (error) {
    if (!hasReason(error, "AlreadyExists")) throw error;
    return;
  }
  await recordEvent(context, deployment, {
    type: "Normal",
    reason: "ScalingReplicaSet",
    message: `Scaled up replica set ${name}-${hash} from 0 to ${replicas}`,
    source: "deployment-controller",
  });
}
