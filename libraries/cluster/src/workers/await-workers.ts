import type { ClusterContext } from "../context/context.ts";
import {
  failOnQuota,
  hasFailed,
  isComplete,
  isReady,
  isRunning,
  wantedWorkers,
  workersOf,
} from "./worker-machines.ts";

const minimumWorkers = 2;

/**
 * True if the minimum number of workers is ready. OpenShift's own applications need this number.
 * @throws CloudError QuotaExceeded
 */
export async function minimumWorkerNodesReady(context: ClusterContext): Promise<boolean> {
  const { machines, nodes } = await workersOf(context);
  if (machines.filter(isRunning).length >= minimumWorkers)
    return nodes.filter(isReady).length >= minimumWorkers;
  failOnQuota(machines);
  return false;
}

const limitMs = 5 * 60_000;
const pauseMs = 500;

/** Waits up to five minutes until the workers above the minimum are ready. The cluster is usable even if they do not start. */
export async function awaitRemainingWorkers(context: ClusterContext): Promise<void> {
  const deadlineMs = context.clock.monotonicMs() + limitMs;
  while (context.clock.monotonicMs() < deadlineMs) {
    const wanted = await wantedWorkers(context);
    const workers = await workersOf(context);
    if (workers.machines.some(hasFailed) || isComplete(wanted, workers)) return;
    await context.clock.sleep(pauseMs, context.signal);
  }
}
