import { type Clock, messageOf, stringAt, timeLimit } from "@keelson/base";
import { conditionStatus, type KubeClient, KubeError, type KubeObject, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { cleanUp } from "./clean-up.ts";
import { type RunnableJob, runnableJob } from "./job-manifest.ts";
import { OutputLimit, outputLimitBytes, type TextStream } from "./text-stream.ts";
import { untilObject } from "./until-object.ts";

const timeLimitMs = 30 * 60_000;
const jobLabel = "batch.kubernetes.io/job-name";

interface Place {
  readonly kube: KubeClient;
  readonly clock: Clock;
}

/**
 * Runs a Job from the administrator's manifest for at most 30 minutes. Streams the log of the Job's pod, and then the result of
 * the Job. The Job is always deleted, even after the caller disconnects.
 * @throws CloudError Forbidden, InvalidParameter, InvalidRequestContent
 */
export function runJob(context: ActionContext, body: unknown, timeOver = timeLimit(timeLimitMs)): TextStream {
  return follow(context, runnableJob(body), timeOver);
}

async function* follow(
  context: ActionContext,
  job: RunnableJob,
  timeOver: AbortSignal,
): AsyncGenerator<string | Uint8Array> {
  const { signal, logger } = context;
  const { namespace, name } = job;
  const kube = context.kube();
  const limited = AbortSignal.any([signal, timeOver]);
  yield `Creating job ${name} in ${namespace}...\n`;
  try {
    await kube.create(resources.jobs, job.object, limited);
  } catch (error) {
    // Without a response from the API server, it is unknown whether the Job exists, so it is deleted.
    if (!(error instanceof KubeError) || error.code === 0) await deleteJob(context, job);
    signal.throwIfAborted();
    yield `Failed to create job: ${messageOf(error)}\n`;
    return;
  }
  let cleaned = false;
  try {
    yield* watchJob({ kube, clock: context.clock }, job, limited);
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ namespace, job: name, reason: messageOf(error) }, "a job of an administrator was given up");
    yield `Error: ${limited.aborted ? "the job took more than 30 minutes" : messageOf(error)}\n`;
  } finally {
    // Also runs if the caller stops reading early. In that case, the line below with the result of the deletion is not sent.
    cleaned = await deleteJob(context, job);
  }
  yield cleaned ? "Cleanup complete.\n" : `Cleanup failed: delete job ${name} in ${namespace}.\n`;
}

async function* watchJob(
  where: Place,
  job: RunnableJob,
  signal: AbortSignal,
): AsyncGenerator<string | Uint8Array> {
  yield "Waiting for pod...\n";
  const pod = await podOf(where, job, signal);
  yield `Pod ${pod} assigned, streaming logs...\n`;
  const limit = new OutputLimit("pod logs");
  try {
    const options = { container: job.container, follow: true, limitBytes: outputLimitBytes + 1 };
    for await (const bytes of where.kube.logs({ namespace: job.namespace, name: pod }, options, signal))
      yield* limit.admit(bytes);
  } catch (error) {
    if (signal.aborted) throw error;
    yield `Log streaming error: ${messageOf(error)}\n`;
  }
  yield (await succeeded(where, job, signal)) ? "Job succeeded.\n" : "Job failed.\n";
}

/** Waits until the job's pod has started, and returns its name. */
async function podOf(where: Place, { namespace, name }: RunnableJob, signal: AbortSignal): Promise<string> {
  const selection = { namespace, labelSelector: `${jobLabel}=${name}` };
  const started = (pod: KubeObject) =>
    /^(Running|Succeeded|Failed)$/.test(stringAt(pod, "status", "phase") ?? "");
  return (await untilObject(where, resources.pods, selection, started, signal)).metadata.name;
}

/** Waits for the Job's result and returns true if it succeeded. The log of the Job may end before the Job's status changes. */
async function succeeded(
  where: Place,
  { namespace, name }: RunnableJob,
  signal: AbortSignal,
): Promise<boolean> {
  const has = (job: KubeObject, condition: string) => conditionStatus(job, condition) === "True";
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  const ended = (job: KubeObject) => has(job, "Complete") || has(job, "Failed");
  return has(await untilObject(where, resources.jobs, selection, ended, signal), "Complete");
}

/** Deletes the Job. Returns true if the Job and its pods are deleted or being deleted. */
function deleteJob(context: ActionContext, { namespace, name }: RunnableJob): Promise<boolean> {
  return cleanUp(context, `job ${namespace}/${name}`, (kube, signal) =>
    kube.delete(resources.jobs, { namespace, name }, signal, { propagationPolicy: "Foreground" }),
  );
}
