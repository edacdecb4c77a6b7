import { CloudError, type CloudErrorBody } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import type { ActionContext } from "../action-context.ts";
import { actionError } from "../action-error.ts";
import type { ActionJournal } from "../action-journal.ts";
import { checkMasterSize } from "../azure/machine-sizes.ts";
import { getVm } from "../azure/virtual-machine.ts";
import { checkResize } from "./check-resize.ts";
import { type ControlPlaneMachine, controlPlaneMachines } from "./machines.ts";
import { nodeState } from "./node.ts";
import { checkMastersUp } from "./operators.ts";
import { type NodeSnapshot, nodeSteps, type ResizeWish, told } from "./resize-steps.ts";
import { rollBack } from "./rollback.ts";

const preflightStep = "preflight";
const failureStep = "failure";
const snapshotSuffix = ":snapshot";

/**
 * Gives the masters another size, one after the other, those with the last names first. Masters that have it already
 * are left alone. When one cannot be brought through, all that were touched go back, the newest first. Broken off, it
 * goes on where its journal ends.
 * @throws CloudError that lists the steps, and what could not be rolled back
 */
export async function resizeControlPlane(
  context: ActionContext,
  wish: ResizeWish,
  journal: ActionJournal,
): Promise<void> {
  checkMasterSize(wish.vmSize);
  await journal.step(preflightStep, async () => {
    await checkResize(context, wish.vmSize);
    return true;
  });
  const recording = recordingOf(journal);
  if (journal.steps[failureStep] === undefined) {
    try {
      await resizeAll(context, wish, recording);
      return;
    } catch (error) {
      // Another process goes on, or nobody may: nothing is undone by a process that has to stop.
      context.signal.throwIfAborted();
      if (touchedIn(journal).length === 0) throw error;
      const { status, body } = actionError(error);
      await journal.step(failureStep, async () => JSON.stringify({ status, body }));
    }
  }
  const failures = await rollBack(context, recording, touchedIn(journal));
  throw failureOf(`${journal.steps[failureStep]}`, recording.lines, failures);
}

async function resizeAll(context: ActionContext, wish: ResizeWish, journal: ActionJournal): Promise<void> {
  const machines = await controlPlaneMachines(context);
  if (machines.length === 0) {
    const message = "No control plane machines found. Resize cannot proceed.";
    throw new CloudError("RequestNotAllowed", message, { status: 409 });
  }
  const names = machines.map(({ name }) => name);
  for (const machine of machines.toReversed()) {
    const snapshot = await journal.step(`${machine.name}${snapshotSuffix}`, async () => {
      await checkMastersUp(context, names);
      return machine.size === wish.vmSize ? null : takeSnapshot(context, machine);
    });
    if (snapshot === null) continue;
    context.logger.info({ node: machine.name, from: snapshot.vmSize, to: wish.vmSize }, "resizing a master");
    await resizeNode(context, snapshot, wish, journal);
  }
}

async function resizeNode(
  context: ActionContext,
  snapshot: NodeSnapshot,
  wish: ResizeWish,
  journal: ActionJournal,
): Promise<void> {
  const { name } = snapshot;
  for (const { name: step, run } of nodeSteps(context, snapshot, wish)) {
    const label = `${name}:${step}`;
    try {
      await journal.step(label, async () => {
        await told(context, journal, label, run);
        return true;
      });
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof CloudError) throw error;
      const { status, body, message } = actionError(error);
      throw new CloudError("InternalServerError", `failed to resize node ${name}: ${step}: ${message}`, {
        status,
        foreignCode: body.code,
        cause: error,
      });
    }
  }
}

async function takeSnapshot(context: ActionContext, machine: ControlPlaneMachine): Promise<NodeSnapshot> {
  const { name, size } = machine;
  const vm = await getVm(context, name);
  const vmSize = vm.hardwareProfile?.vmSize;
  if (!vmSize) {
    const message = `failed to capture Azure VM state for ${name}: HardwareProfile missing`;
    throw new CloudError("InternalServerError", message);
  }
  return { name, vmSize, machineSize: size, schedulable: (await nodeState(context, name)).schedulable };
}

/** The nodes that something was done to, in that order. */
function touchedIn({ steps }: ActionJournal): readonly NodeSnapshot[] {
  return Object.entries(steps).flatMap(([name, value]) =>
    name.endsWith(snapshotSuffix) && isSnapshot(value) ? [value] : [],
  );
}

function isSnapshot(value: unknown): value is NodeSnapshot {
  return isPlainObject(value) && typeof value.name === "string" && typeof value.vmSize === "string";
}

/** A journal that also remembers what it was told, for the error at the end. */
function recordingOf(journal: ActionJournal): ActionJournal & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  return {
    lines,
    get steps() {
      return journal.steps;
    },
    step: (name, task) => journal.step(name, task),
    report(line) {
      lines.push(line);
      journal.report(line);
    },
  };
}

function failureOf(
  recorded: string,
  lines: readonly string[],
  rollbackFailures: readonly string[],
): CloudError {
  const { status, body }: { readonly status: number; readonly body: CloudErrorBody } = JSON.parse(recorded);
  const { code, message, target, details } = body;
  const parts = [
    message,
    ...(lines.length > 0 ? [`Steps: ${lines.join(", ")}`] : []),
    ...(rollbackFailures.length > 0 ? [`Rollback errors: ${rollbackFailures.join("; ")}`] : []),
  ];
  return new CloudError("InternalServerError", parts.join(". "), {
    status,
    foreignCode: code,
    ...(target === undefined ? {} : { target }),
    ...(details === undefined ? {} : { details }),
  });
}
