import { messageOf, retry } from "@keelson/base";
import { getVm, resizeVm, startVm, stopVm } from "../azure/virtual-machine.ts";
import type { ActionContext } from "../context/action-context.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import { cordonNode } from "../kubernetes/cordon-node.ts";
import { controlPlaneMachines } from "./machines.ts";
import { nodeState, setMachineSize, setNodeSize, untilNodeReady } from "./node.ts";
import { checkEtcd, untilEtcdHealthy } from "./operators.ts";
import { type NodeSnapshot, reportStep } from "./resize-steps.ts";

const azurePolicy = { attempts: 3, firstMs: 5_000, factor: 1, maxMs: 5_000, jitter: 0 };

/**
 * Restores the previous state of the changed nodes in reverse order, and returns the failures. The rollback can be interrupted
 * and repeated, because it compares the present state of each node with the node's snapshot.
 */
export async function rollBack(
  context: ActionContext,
  journal: ActionJournal,
  touched: readonly NodeSnapshot[],
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const [index, snapshot] of touched.toReversed().entries()) {
    try {
      // The first node is always restored, because it may already be down. All further nodes require a healthy etcd.
      if (index > 0) await checkEtcd(context);
    } catch (error) {
      context.signal.throwIfAborted();
      return [...failures, `etcd unhealthy before rollback of ${snapshot.name}: ${messageOf(error)}`];
    }
    await rollBackNode(context, journal, snapshot, failures);
  }
  return failures;
}

async function rollBackNode(
  context: ActionContext,
  journal: ActionJournal,
  snapshot: NodeSnapshot,
  failures: string[],
): Promise<void> {
  const { name, vmSize, machineSize, schedulable } = snapshot;
  const attempt = async (step: string, run: () => Promise<void>): Promise<boolean> => {
    try {
      await reportStep(context, journal, `${name}:${step}`, run);
      return true;
    } catch (error) {
      context.signal.throwIfAborted();
      failures.push(messageOf(error));
      return false;
    }
  };
  const { isRunning, size } = await vmOf(context, name, failures);
  if (size === undefined) return;
  const up = size === vmSize ? isRunning || (await startAgain(context, attempt, name)) : true;
  if (size !== vmSize && !(await attempt("restoreVMSize", () => restoreSize(context, snapshot)))) return;
  const machine = (await controlPlaneMachines(context)).find((each) => each.name === name);
  if (machine && machine.size !== machineSize) {
    await attempt("restoreMachine", () => setMachineSize(context, name, machineSize));
  }
  await attempt("restoreNodeLabels", () => setNodeSize(context, name, machineSize));
  if (!up || (await nodeState(context, name)).schedulable === schedulable) return;
  await attempt("restoreSchedulability", () => cordonNode(context, name, !schedulable));
}

async function vmOf(context: ActionContext, name: string, failures: string[]) {
  try {
    const { hardwareProfile, instanceView } = await getVm(context, name);
    const isRunning = instanceView?.statuses?.some(({ code }) => code === "PowerState/running") ?? false;
    return { size: hardwareProfile?.vmSize ?? "", isRunning };
  } catch (error) {
    context.signal.throwIfAborted();
    failures.push(`reading VM ${name}: ${messageOf(error)}`);
    return { size: undefined, isRunning: false };
  }
}

async function startAgain(
  context: ActionContext,
  attempt: (step: string, run: () => Promise<void>) => Promise<boolean>,
  name: string,
): Promise<boolean> {
  return (
    (await attempt("start", () => insistently(context, () => startVm(context, name)))) &&
    (await attempt("waitReady", () => untilNodeReady(context, name))) &&
    (await attempt("waitEtcd", () => untilEtcdHealthy(context)))
  );
}

/** Deallocates the machine before the resize, because Azure can assign some sizes only to a deallocated machine. */
async function restoreSize(context: ActionContext, { name, vmSize }: NodeSnapshot): Promise<void> {
  await insistently(context, () => stopVm(context, name, true));
  await insistently(context, () => resizeVm(context, name, vmSize));
  await insistently(context, () => startVm(context, name));
  await untilNodeReady(context, name);
  await untilEtcdHealthy(context);
}

function insistently({ clock, signal }: ActionContext, call: () => Promise<void>): Promise<void> {
  return retry(call, { policy: azurePolicy, clock, signal, decide: () => undefined });
}
