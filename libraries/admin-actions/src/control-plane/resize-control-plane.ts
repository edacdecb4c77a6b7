import { CloudError, type CloudErrorBody } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import { checkMasterSize } from "../azure/machine-sizes.ts";
import { getVm } from "../azure/virtual-machine.ts";
import type { ActionContext } from "../context/action-context.ts";
import { actionError } from "../context/action-error.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import { checkResize } from "./check-resize.ts";
import { type ControlPlaneMachine, controlPlaneMachines } from "./machines.ts";
import { nodeState } from "./node.ts";
import { checkMastersUp } from "./operators.ts";
import { type NodeSnapshot, nodeSteps, type ResizeOptions, reportStep } from "./resize-steps.ts";
import { rollBack } from "./rollback.ts";

const preflightStep = "preflight";
const failureStep = "failure";
const snapshotSuffix = ":snapshot";

/**
 * Resizes the masters one at a time in descending name order. Masters that already have the size are skipped. After a failure,
 * all changed masters are rolled back in reverse order. After an interruption, the resize resumes from its journal.
 * @throws CloudError with the list of steps and of failed rollbacks
 */
export async function resizeControlPlane(
  context: ActionContext,
  options: ResizeOptions,
  journal: ActionJournal,
): Promise<void> {
  checkMasterSize(options.vmSize);
  await journal.step(preflightStep, async () => {
    await checkResize(context, options.vmSize);
    return true;
  });
  const recording = recordingOf(journal);
  if (journal.steps[failureStep] === undefined) {
    try {
      await resizeAll(context, options, recording);
      return;
    } catch (error) {
      // A stopping process does not roll back, because a second process resumes the resize.
      context.signal.throwIfAborted();
      if (touchedIn(journal).length === 0) throw error;
      const { status, body } = actionError(error);
      await journal.step(failureStep, async () => JSON.stringify({ status, body }));
    }
  }
  const failures = await rollBack(context, recording, touchedIn(journal));
  throw failureOf(`${journal.steps[failureStep]}`, recording.lines, failures);
}

async function resizeAll(
  context: ActionContext,
  options: ResizeOptions,
  journal: ActionJournal,
): Promise<void> {
  const machines = await controlPlaneMachines(context);
  if (machines.length === 0) {
    const message = "No control plane machines found. Resize cannot proceed.";
    throw new CloudError("RequestNotAllowed", message, { status: 409 });
  }
  const names = machines.map(({ name }) => name);
  for (const machine of machines.toReversed()) {
    const snapshot = await journal.step(`${machine.name}${snapshotSuffix}`, async () => {
      await checkMastersUp(context, names);
      return machine.size === options.vmSize ? null : takeSnapshot(context, machine);
    });
    if (snapshot === null) continue;
    context.logger.info(
      { node: machine.name, from: snapshot.vmSize, to: options.vmSize },
      "resizing a master",
    );
    await resizeNode(context, snapshot, options, journal);
  }
}

async function resizeNode(
  context: ActionContext,
  snapshot: NodeSnapshot,
  options: ResizeOptions,
  journal: ActionJournal,
): Promise<void> {
  const { name } = snapshot;
  for (const { name: step, run } of nodeSteps(context, snapshot, options)) {
    const label = `${name}:${step}`;
    try {
      await journal.step(label, async () => {
        await reportStep(context, journal, label, run);
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

/** Returns the snapshots of the changed nodes, in the order of the changes. */
function touchedIn({ steps }: ActionJournal): readonly NodeSnapshot[] {
  return Object.entries(steps).flatMap(([name, value]) =>
    name.endsWith(snapshotSuffix) && isSnapshot(value) ? [value] : [],
  );
}

function isSnapshot(value: unknown): value is NodeSnapshot {
  return isPlainObject(value) && typeof value.name === "string" && typeof value.vmSize === "string";
}

/** Returns a journal that forwards to `journal` and also collects the reported lines for the final error. */
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
    target,
    details,
  });
}
