import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Condition, timestamp } from "@keelson/controller";
import { findCondition } from "@keelson/kube";
import { withConditions } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { isReady } from "../pods/pod-state.ts";
import { burst } from "../pods/slow-start.ts";

export const indexAnnotation = "batch.kubernetes.io/job-completion-index";

export interface JobPlan {
  /** Completion index of each new pod. `undefined` for non-indexed Jobs. */
  readonly create: readonly (number | undefined)[];
  readonly delete: readonly KubeObject[];
  readonly status: Readonly<Record<string, unknown>>;
  readonly waitMs: number | undefined;
  /** Final result of the Job. The controller records the result only once. */
  readonly finished: "Complete" | "Failed" | undefined;
}

const backoffMs = 10_000;
const maxBackoffMs = 360_000;

/** Plans the next step of a Job towards its completions (batch/v1 JobSpec). `owned` contains its pods. */
export function planJob(job: KubeObject, owned: readonly KubeObject[], now: Date): JobPlan {
  const status = objectAt(job, "status");
  const done = finishedAs(job);
  const live = owned.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const succeeded = live.filter((pod) => phaseOf(pod) === "Succeeded");
  const failed = live.filter((pod) => phaseOf(pod) === "Failed");
  const active = live.filter((pod) => !succeeded.includes(pod) && !failed.includes(pod));
  if (done) return { create: [], delete: active, status, waitMs: undefined, finished: undefined };
  const indexed = stringAt(job, "spec", "completionMode") === "Indexed";
  const parallelism = numberAt(job, "spec", "parallelism") ?? 1;
  const completions =
    numberAt(job, "spec", "completions") ??
    (valueAt(job, "spec", "parallelism") === undefined ? 1 : undefined);
  const successes = indexed ? new Set(succeeded.map(indexOf)).size : succeeded.length;
  const limit = numberAt(job, "spec", "backoffLimit") ?? 6;
  const restarts = active.reduce(
    (sum, pod) =>
      sum +
      listAt(pod, "status", "containerStatuses").reduce<number>(
        (all, each) => all + (numberAt(each, "restartCount") ?? 0),
        0,
      ),
    0,
  );
  const startTime = stringAt(job, "status", "startTime");
  const suspended = valueAt(job, "spec", "suspend") === true;
  const deadline = numberAt(job, "spec", "activeDeadlineSeconds");
  const deadlineMs =
    deadline === undefined || startTime === undefined
      ? undefined
      : Date.parse(startTime) + deadline * 1_000 - now.getTime();
  const tooLate = deadlineMs !== undefined && deadlineMs <= 0;
  const tooOften =
    failed.length > limit ||
    (stringAt(job, "spec", "template", "spec", "restartPolicy") === "OnFailure" && restarts > limit);
  const complete =
    completions === undefined ? successes > 0 && active.length === 0 : successes >= completions;
  const counted = (member: string) => numberAt(job, "status", member) ?? 0;
  const counts = {
    ...status,
    startTime: suspended ? undefined : (startTime ?? timestamp(now)),
    ready: active.filter(isReady).length,
    terminating: owned.length - live.length,
    uncountedTerminatedPods: {},
    // Non-indexed Jobs still count succeeded pods that were deleted. Indexed Jobs run the index of a deleted pod again.
    succeeded: (indexed ? successes : Math.max(successes, counted("succeeded"))) || undefined,
    failed: Math.max(failed.length, counted("failed")) || undefined,
    ...(indexed ? { completedIndexes: ranges([...new Set(succeeded.map(indexOf))]) || undefined } : {}),
  };
  const ended = (
    finished: "Complete" | "Failed",
    conditions: readonly Condition[],
    rest: object = {},
  ): JobPlan => ({
    create: [],
    delete: active,
    status: {
      ...counts,
      active: undefined,
      ready: 0,
      terminating: 0,
      ...rest,
      conditions: withProbes(job, conditions, now),
    },
    waitMs: undefined,
    finished,
  });
  if (complete) {
    const message = "Reached expected number of succeeded pods";
    const conditions = ["SuccessCriteriaMet", "Complete"].map(
      (type): Condition => ({ type, status: "True", reason: "CompletionsReached", message }),
    );
    return ended("Complete", conditions, { completionTime: timestamp(now) });
  }
  if (tooLate || tooOften) {
    const [reason, message] = tooLate
      ? ["DeadlineExceeded", "Job was active longer than specified deadline"]
      : ["BackoffLimitExceeded", "Job has reached the specified backoff limit"];
    return ended(
      "Failed",
      ["FailureTarget", "Failed"].map((type): Condition => ({ type, status: "True", reason, message })),
    );
  }
  if (suspended) {
    const condition: Condition = {
      type: "Suspended",
      status: "True",
      reason: "JobSuspended",
      message: "Job suspended",
    };
    const shown = { ...counts, active: undefined, conditions: withProbes(job, [condition], now) };
    return { create: [], delete: active, status: shown, waitMs: undefined, finished: undefined };
  }
  const pauseMs = pauseAfter(failed, now);
  const left = completions === undefined ? (successes > 0 ? 0 : parallelism) : completions - successes;
  const wanted = Math.max(0, Math.min(parallelism, left));
  const surplus = active.slice(wanted);
  const wantedMore = Math.max(0, wanted - active.length - (owned.length - live.length));
  // The created pods trigger the next reconciliation, which creates the remaining ones.
  const missing = pauseMs > 0 ? 0 : Math.min(wantedMore, burst);
  const taken = new Set([...active, ...succeeded].map(indexOf));
  const free: number[] = [];
  for (let index = 0; indexed && free.length < missing && index < (completions ?? 0); index++)
    if (!taken.has(index)) free.push(index);
  const create = Array.from({ length: missing }, (_, at) => (indexed ? free[at] : undefined));
  const waits = [deadlineMs, pauseMs > 0 && active.length < wanted ? pauseMs : undefined].filter(
    (ms) => ms !== undefined,
  );
  const resumed: readonly Condition[] = findCondition(job, "Suspended")
    ? [{ type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" }]
    : [];
  return {
    create: indexed ? create.filter((index) => index !== undefined) : create,
    delete: surplus,
    status: {
      ...counts,
      active: active.length - surplus.length || undefined,
      ...(resumed.length > 0 ? { conditions: withProbes(job, resumed, now) } : {}),
    },
    waitMs: waits.length > 0 ? Math.min(...waits) + 10 : undefined,
    finished: undefined,
  };
}

export function finishedAs(job: KubeObject): "Complete" | "Failed" | undefined {
  const found = listAt(job, "status", "conditions").find(
    (each) =>
      ["Complete", "Failed"].includes(stringAt(each, "type") ?? "") && stringAt(each, "status") === "True",
  );
  const type = stringAt(found, "type");
  return type === "Complete" || type === "Failed" ? type : undefined;
}

/**
 * Returns the remaining back-off in milliseconds. The back-off is 10 seconds after the first failure and doubles with each
 * further failure.
 */
function pauseAfter(failed: readonly KubeObject[], now: Date): number {
  if (failed.length === 0) return 0;
  const last = Math.max(
    ...failed.map((pod) => Date.parse(finishTime(pod) ?? pod.metadata.creationTimestamp ?? "") || 0),
  );
  const pause = Math.min(maxBackoffMs, backoffMs * 2 ** Math.min(20, failed.length - 1));
  return Math.max(0, last + pause - now.getTime());
}

function finishTime(pod: KubeObject): string | undefined {
  return stringAt(listAt(pod, "status", "containerStatuses")[0], "state", "terminated", "finishedAt");
}

function withProbes(job: KubeObject, conditions: readonly Condition[], now: Date): readonly unknown[] {
  return withConditions(job, conditions, now).map((each) =>
    typeof each === "object" && each !== null && !("lastProbeTime" in each)
      ? { ...each, lastProbeTime: timestamp(now) }
      : each,
  );
}

function phaseOf(pod: KubeObject): string | undefined {
  return stringAt(pod, "status", "phase");
}

function indexOf(pod: KubeObject): number {
  return Number(stringMapAt(pod, "metadata", "annotations")[indexAnnotation] ?? -1);
}

/** Formats indexes as ranges, for example `0-2,5` (batch/v1 JobStatus.completedIndexes). */
function ranges(indexes: readonly number[]): string {
  const sorted = indexes.toSorted((a, b) => a - b);
  const parts: [number, number][] = [];
  for (const index of sorted) {
    const last = parts.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else parts.push([index, index]);
  }
  return parts
    .map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from},${to}` : `${from}-${to}`))
    .join(",");
}
