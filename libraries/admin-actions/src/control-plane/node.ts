import { CloudError } from "@keelson/arm";
import { onTimeDeadline, retry, valueAt } from "@keelson/base";
import { conditionStatus, isKubeNotFound, KubeError, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { instanceTypeLabel, machineNamespace } from "./machines.ts";

/** Labels with the virtual machine size of a node. Both labels have the same value. */
const nodeSizeLabels = ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"] as const;

const readyLimitMs = 30 * 60_000;
const readyPauseMs = 5_000;
const updatePolicy = { attempts: 3, firstMs: 1_000, factor: 1, maxMs: 1_000, jitter: 0 };

export interface NodeState {
  readonly ready: boolean;
  readonly schedulable: boolean;
}

/** @throws KubeError */
export async function nodeState({ kube, signal }: ActionContext, name: string): Promise<NodeState> {
  const node = await kube().get(resources.nodes, { name }, signal);
  return {
    ready: conditionStatus(node, "Ready") === "True",
    schedulable: valueAt(node, "spec", "unschedulable") !== true,
  };
}

/**
 * Waits until a node is ready.
 * @throws CloudError after 30 minutes
 */
export async function untilNodeReady(context: ActionContext, name: string): Promise<void> {
  const { clock, logger, signal } = context;
  const isOver = onTimeDeadline(clock, readyLimitMs);
  for (;;) {
    try {
      if ((await nodeState(context, name)).ready) return;
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      // The API server may be unavailable while a master restarts.
      logger.info({ node: name, reason: error.message }, "a node could not be read");
    }
    if (isOver()) {
      throw new CloudError("InternalServerError", `node ${name} did not become Ready within 30 minutes`);
    }
    await clock.sleep(readyPauseMs, signal);
  }
}

/**
 * Writes the size into the Machine's spec and label.
 * @throws KubeError after three attempts
 */
export function setMachineSize(context: ActionContext, name: string, vmSize: string): Promise<void> {
  const patch = {
    metadata: { labels: { [instanceTypeLabel]: vmSize } },
    spec: { providerSpec: { value: { vmSize } } },
  };
  const key = { namespace: machineNamespace, name };
  return update(context, async () => {
    await context.kube().mergePatch(resources.machines, key, patch, context.signal);
  });
}

/**
 * Writes the size into the node's labels.
 * @throws KubeError after three attempts
 */
export function setNodeSize(context: ActionContext, name: string, vmSize: string): Promise<void> {
  const labels = Object.fromEntries(nodeSizeLabels.map((label) => [label, vmSize]));
  return update(context, async () => {
    await context.kube().mergePatch(resources.nodes, { name }, { metadata: { labels } }, context.signal);
  });
}

function update({ clock, signal }: ActionContext, write: () => Promise<void>): Promise<void> {
  const decide = (error: unknown) => (isKubeNotFound(error) ? ("stop" as const) : undefined);
  return retry(write, { policy: updatePolicy, clock, signal, decide });
}
