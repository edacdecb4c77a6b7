import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watch, watchOwned } from "@keelson/controller";
import { findCondition, type ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { writeStatus } from "../../workload-context/write-status.ts";
import { createPod } from "../pods/create-pod.ts";
import { slowStart } from "../pods/slow-start.ts";
import { podFromTemplate } from "../pods/template.ts";
import { finishedAs, indexAnnotation, planJob } from "./plan.ts";

const { jobs: resource, pods } = resources;

/** Job controller. Creates pods until enough pods have succeeded or too many have failed. */
export const jobs: Controller<WorkloadContext> = {
  name: "jobs",
  watches: [watch(resource), watchOwned(pods, resource)],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const job = context.informer(resource).get(key);
  if (!job || job.metadata.deletionTimestamp !== undefined) return done;
  const owned = () => context.informer(pods).by("controller", job.metadata.uid ?? "");
  const plan = planJob(job, owned(), context.clock.now());
  await slowStart(plan.create.length, (at) => createPod(job, podOf(job, plan.create[at]), context));
  for (const pod of plan.delete) await context.delete(pods, pod);
  const after = plan.create.length > 0 ? planJob(job, owned(), context.clock.now()) : plan;
  await writeStatus(context, resource, job, after.status);
  if (plan.finished) await recordEnd(job, plan.finished, plan.status, context);
  const ttl = finishedAs(job) ? await expire(job, context) : undefined;
  const waitMs = ttl ?? after.waitMs;
  return waitMs === undefined ? done : { requeueAfterMs: waitMs };
}

function podOf(job: KubeObject, index: number | undefined): KubeObject {
  const { name, uid = "" } = job.metadata;
  const labels = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
    ...(index === undefined ? {} : { [indexAnnotation]: String(index) }),
  };
  const pod = podFromTemplate(job, labels);
  if (index === undefined) return pod;
  const containers = listAt(pod.spec, "containers").map((container) => ({
    ...objectAt({ container }, "container"),
    env: [...listAt(container, "env"), { name: "JOB_COMPLETION_INDEX", value: String(index) }],
  }));
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata.annotations, [indexAnnotation]: String(index) },
    },
    spec: { ...objectAt(pod, "spec"), containers, hostname: `${name}-${index}` },
  };
}

async function recordEnd(
  job: KubeObject,
  finished: "Complete" | "Failed",
  status: Readonly<Record<string, unknown>>,
  context: WorkloadContext,
): Promise<void> {
  const failure = findCondition({ status }, "Failed");
  await recordEvent(context, job, {
    type: finished === "Complete" ? "Normal" : "Warning",
    reason: finished === "Complete" ? "Completed" : (stringAt(failure, "reason") ?? "Failed"),
    message: finished === "Complete" ? "Job completed" : (stringAt(failure, "message") ?? "Job failed"),
    source: "job-controller",
  });
}

/** Deletes a finished Job after `ttlSecondsAfterFinished`. Returns the milliseconds until the deletion. */
async function expire(job: KubeObject, context: WorkloadContext): Promise<number | undefined> {
  const ttl = numberAt(job, "spec", "ttlSecondsAfterFinished");
  if (ttl === undefined) return undefined;
  const ended = listAt(job, "status", "conditions").find((each) =>
    ["Complete", "Failed"].includes(stringAt(each, "type") ?? ""),
  );
  const leftMs =
    Date.parse(stringAt(ended, "lastTransitionTime") ?? "") + ttl * 1_000 - context.clock.now().getTime();
  if (leftMs > 0) return leftMs;
  await context.delete(resource, job, { propagationPolicy: "Background" });
  return undefined;
}
