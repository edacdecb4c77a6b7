import { retry } from "@keelson/base";
import { resizeVm, startVm, stopVm } from "../azure/virtual-machine.ts";
import type { ActionContext } from "../context/action-context.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import { cordonNode } from "../kubernetes/cordon-node.ts";
import { drainNode } from "../kubernetes/drain-node.ts";
import { setMachineSize, setNodeSize, untilNodeReady } from "./node.ts";
import { untilEtcdHealthy } from "./operators.ts";

export interface ResizeOptions {
  readonly vmSize: string;
  /**
   * True if the stopped machine is deallocated before the resize. Azure requires this if the new size belongs to a different
   * family.
   */
  readonly deallocateVM: boolean;
}

/** State of a node before the first step. */
export interface NodeSnapshot {
  readonly [member: string]: string | boolean;
  readonly name: string;
  readonly vmSize: string;
  readonly machineSize: string;
  readonly schedulable: boolean;
}

const drainPolicy = { attempts: 3, firstMs: 2_000, factor: 1, maxMs: 2_000, jitter: 0 };

interface NodeStep {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Returns the steps that resize one master, in order. Each step is idempotent. */
export function nodeSteps(
  context: ActionContext,
  snapshot: NodeSnapshot,
  options: ResizeOptions,
): readonly NodeStep[] {
  const { name, schedulable } = snapshot;
  const { vmSize, deallocateVM } = options;
  const cordon = (shouldCordon: boolean) => () => cordonNode(context, name, shouldCordon);
  return [
    ...(schedulable ? [{ name: "cordon", run: cordon(true) }] : []),
    { name: "drain", run: () => drainWithRetries(context, name) },
    { name: "stop", run: () => stopVm(context, name, deallocateVM) },
    { name: "resize", run: () => resizeVm(context, name, vmSize) },
    { name: "start", run: () => startVm(context, name) },
    { name: "waitReady", run: () => untilNodeReady(context, name) },
    { name: "waitEtcd", run: () => untilEtcdHealthy(context) },
    ...(schedulable ? [{ name: "uncordon", run: cordon(false) }] : []),
    { name: "updateMachine", run: () => setMachineSize(context, name, vmSize) },
    { name: "updateNodeLabels", run: () => setNodeSize(context, name, vmSize) },
  ];
}

function drainWithRetries(context: ActionContext, name: string): Promise<void> {
  const { clock, signal } = context;
  return retry(() => drainNode(context, name), {
    policy: drainPolicy,
    clock,
    signal,
    decide: () => undefined,
  });
}

/** Runs a step, and afterwards reports its duration and whether it failed. */
export async function reportStep<T>(
  { clock }: ActionContext,
  journal: ActionJournal,
  label: string,
  run: () => Promise<T>,
): Promise<T> {
  const startedMs = clock.monotonicMs();
  const took = () => `(${Math.round(clock.monotonicMs() - startedMs)}ms)`;
  try {
    const result = await run();
    journal.report(`${label} ${took()}`);
    return result;
  } catch (error) {
    journal.report(`${label} failed ${took()}: ${error instanceof Error ? error.message : error}`);
    throw error;
  }
}
