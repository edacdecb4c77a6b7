import type { KubeObject } from "@keelson/apiserver";
import { keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { listAt, numberAt, recordAt, textAt } from "../../runtime/fields.ts";
import { controllerKeys } from "../../runtime/ownership.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { recordEvent } from "../../workloads/record-event.ts";
import type { WorkloadContext } from "../../workloads/workload-context.ts";
import type { WorkloadController } from "../../workloads/workload-controller.ts";
import { workloadResources } from "../../workloads/workload-resources.ts";
import { writeStatus } from "../../workloads/write-status.ts";
import { podFromTemplate } from "../pods/template.ts";
import { finishedAs, indexAnnotation, planJob } from "./plan.ts";

const { jobs: resource, pods } = workloadResources;

/** Pods until enough have succeeded, or too many failed. */
export const jobs: WorkloadController = {
  name: "jobs",
  watches: [
    { resource, keys: (job) => [keyOf(job)] },
    { resource: pods, keys: (pod) => controllerKeys(pod, "Job") },
  ],
  reconcile,
};

async function reconcile(key: string, context: WorkloadContext): Promise<Outcome> {
  const job = context.cache(resource).get(parseKey(key));
  if (!job || job.metadata.deletionTimestamp !== undefined) return settled;
  const owned = () => context.cache(pods).by("controller", job.metadata.uid ?? "");
  const plan = planJob(job, owned(), context.clock.now());
  await Promise.all(plan.create.map((index) => context.create(pods, podOf(job, index))));
  for (const pod of plan.delete) await context.delete(pods, pod);
  const after = plan.create.length > 0 ? planJob(job, owned(), context.clock.now()) : plan;
  await writeStatus(context, resource, job, after.status);
  if (plan.finished) await tell(job, plan.finished, plan.status, context);
  const ttl = finishedAs(job) ? await expire(job, context) : undefined;
  const waitMs = ttl ?? after.waitMs;
  return waitMs === undefined ? settled : { requeueAfterMs: waitMs };
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
    ...recordAt({ container }, "container"),
    env: [...listAt(container, "env"), { name: "JOB_COMPLETION_INDEX", value: String(index) }],
  }));
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata.annotations, [indexAnnotation]: String(index) },
    },
    spec: { ...recordAt(pod, "spec"), containers, hostname: `${name}-${index}` },
  };
}

async function tell(
  job: KubeObject,
  finished: "Complete" | "Failed",
  status: Readonly<Record<string, unknown>>,
  context: WorkloadContext,
): Promise<void> {
  const failure = listAt({ status }, "status", "conditions").find(
    (each) => textAt(each, "type") === "Failed",
  );
  await recordEvent(context, job, {
    type: finished === "Complete" ? "Normal" : "Warning",
    reason: finished === "Complete" ? "Completed" : (textAt(failure, "reason") ?? "Failed"),
    message: finished === "Complete" ? "Job completed" : (textAt(failure, "message") ?? "Job failed"),
    source: "job-controller",
  });
}

/** Deletes a job `ttlSecondsAfterFinished` after its end. Gives what is left until then. */
async function expire(job: KubeObject, context: WorkloadContext): Promise<number | undefined> {
  const ttl = numberAt(job, "spec", "ttlSecondsAfterFinished");
  if (ttl === undefined) return undefined;
  const ended = listAt(job, "status", "conditions").find((each) =>
    ["Complete", "Failed"].includes(textAt(each, "type") ?? ""),
  );
  const leftMs =
    Date.parse(textAt(ended, "lastTransitionTime") ?? "") + ttl * 1_000 - context.clock.now().getTime();
  if (leftMs > 0) return leftMs;
  await context.delete(resource, job, { propagationPolicy: "Background" });
  return undefined;
}
