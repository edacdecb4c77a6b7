import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import {
  type Controller,
  controllerReference,
  done,
  type Result,
  timestamp,
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
import { finishedAs } from "../jobs/plan.ts";
import { dueTime } from "./schedule.ts";

const { cronJobs: resource, jobs } = resources;
/** Maximum wait in milliseconds: one day. JavaScript timers cannot exceed 24 days. */
const maxWaitMs = 86_400_000;

/** Creates a Job at each scheduled time of a CronJob. */
export const cronJobs: Controller<WorkloadContext> = {
  name: "cron-jobs",
  watches: [watch(resource), watchOwned(jobs, resource)],
  reconcile,
};

async function reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
  const cronJob = context.informer(resource).get(key);
  if (!cronJob || cronJob.metadata.deletionTimestamp !== undefined) return done;
  const owned = context.informer(jobs).by("controller", cronJob.metadata.uid ?? "");
  await forgetOld(cronJob, owned, context);
  const active = owned.filter((job) => finishedAs(job) === undefined);
  const now = context.clock.now();
  const due = dueTime(cronJob, now);
  if (due.kind === "invalid") {
    await recordEvent(context, cronJob, {
      type: "Warning",
      reason: "UnparseableSchedule",
      message: due.message,
      source,
    });
    return done;
  }
  let last = stringAt(cronJob, "status", "lastScheduleTime");
  if (due.missed !== undefined && valueAt(cronJob, "spec", "suspend") !== true) {
    const policy = stringAt(cronJob, "spec", "concurrencyPolicy") ?? "Allow";
    if (policy !== "Forbid" || active.length === 0) {
      if (policy === "Replace")
        for (const job of active) await context.delete(jobs, job, { propagationPolicy: "Background" });
      await createJob(cronJob, due.missed, context);
      last = timestamp(due.missed);
    }
  }
  const present = context.informer(jobs).by("controller", cronJob.metadata.uid ?? "");
  const successes = present.flatMap((job) =>
    finishedAs(job) === "Complete" ? [stringAt(job, "status", "completionTime") ?? ""] : [],
  );
  const lastSuccess = [...successes, stringAt(cronJob, "status", "lastSuccessfulTime") ?? ""]
    .toSorted()
    .at(-1);
  const running = present.filter(
    (job) => finishedAs(job) === undefined && job.metadata.deletionTimestamp === undefined,
  );
  await writeStatus(context, resource, cronJob, {
    ...objectAt(cronJob, "status"),
    lastScheduleTime: last,
    lastSuccessfulTime: lastSuccess || undefined,
    active:
      running.length === 0
        ? undefined
        : running.map(({ metadata }) => ({
            apiVersion: "batch/v1",
            kind: "Job",
            name: metadata.name,
            namespace: metadata.namespace,
            uid: metadata.uid,
          })),
  });
  return due.next === undefined
    ? done
    : { requeueAfterMs: Math.min(maxWaitMs, due.next.getTime() - now.getTime() + 5) };
}

const source = "cronjob-controller";

async function createJob(cronJob: KubeObject, scheduled: Date, context: WorkloadContext): Promise<void> {
  const { name, namespace } = cronJob.metadata;
  const template = objectAt(cronJob, "spec", "jobTemplate");
  const jobName = `${name}-${Math.floor(scheduled.getTime() / 60_000)}`;
  try {
    await context.create(jobs, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: jobName,
        ...(namespace === undefined ? {} : { namespace }),
        labels: stringMapAt(template, "metadata", "labels"),
        annotations: {
          ...stringMapAt(template, "metadata", "annotations"),
          "batch.kubernetes.io/cronjob-scheduled-timestamp": timestamp(scheduled),
        },
        ownerReferences: [controllerReference(cronJob)],
      },
      spec: objectAt(template, "spec"),
    });
  } catch (error) {
    if (!hasReason(error, "AlreadyExists")) throw error;
    return;
  }
  await recordEvent(context, cronJob, {
    type: "Normal",
    reason: "SuccessfulCreate",
    message: `Created job ${jobName}`,
    source,
  });
}

async function forgetOld(
  cronJob: KubeObject,
  owned: readonly KubeObject[],
  context: WorkloadContext,
): Promise<void> {
  const limits = [
    ["Complete", numberAt(cronJob, "spec", "successfulJobsHistoryLimit") ?? 3],
    ["Failed", numberAt(cronJob, "spec", "failedJobsHistoryLimit") ?? 1],
  ] as const;
  for (const [ending, limit] of limits) {
    const ended = owned
      .filter((job) => finishedAs(job) === ending && job.metadata.deletionTimestamp === undefined)
      .toSorted((a, b) =>
        (b.metadata.creationTimestamp ?? "").localeCompare(a.metadata.creationTimestamp ?? ""),
      );
    for (const job of ended.slice(limit))
      await context.delete(jobs, job, { propagationPolicy: "Background" });
  }
}
