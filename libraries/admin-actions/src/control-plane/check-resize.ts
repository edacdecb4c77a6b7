import { CloudError, type CloudErrorBody } from "@keelson/arm";
import { listMachineSkus } from "@keelson/azure";
import { checkMasterSize } from "../azure/machine-sizes.ts";
import { getVm } from "../azure/virtual-machine.ts";
import type { ActionContext } from "../context/action-context.ts";
import { actionError } from "../context/action-error.ts";
import { checkControlPlane } from "./check-control-plane.ts";
import { controlPlaneMachines, controlPlaneReplicas } from "./machines.ts";
import { checkApiServers, checkEtcd, checkMachineSetInactive, checkServicePrincipal } from "./operators.ts";
import { checkResizeQuota } from "./resize-quota.ts";

/**
 * Checks all conditions for a resize of the masters before the first change.
 * @throws CloudError InvalidParameter with all failures as details; InternalServerError if the cluster does not respond
 */
export async function checkResize(context: ActionContext, vmSize: string): Promise<void> {
  if (!(await context.kube().ready(context.signal))) {
    throw new CloudError("InternalServerError", "API server is reporting a non-ready status", {
      target: "kube-apiserver",
    });
  }
  const checks = [
    () => checkSize(context, vmSize),
    () => checkApiServers(context),
    () => checkEtcd(context),
    () => checkServicePrincipal(context),
    () => checkMachineSetInactive(context),
  ];
  const results = await Promise.all(checks.map(failureOf));
  context.signal.throwIfAborted();
  refuse(results.flatMap((each) => each ?? []));
  await checkInventory(context);
}

/** Reports inconsistent masters as an additional failure. Throws an error if the masters cannot be read. */
async function checkInventory(context: ActionContext): Promise<void> {
  try {
    await checkControlPlane(context);
  } catch (error) {
    const isFinding = error instanceof CloudError && error.status === 500 && error.body.target === undefined;
    if (!isFinding) throw error;
    refuse([{ code: "InvalidParameter", message: error.message, target: "controlPlaneInventory" }]);
  }
}

function refuse(details: readonly CloudErrorBody[]): void {
  if (details.length === 0) return;
  throw new CloudError("InvalidParameter", "Pre-flight validation failed.", { details });
}

async function failureOf(check: () => Promise<void>): Promise<CloudErrorBody | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return actionError(error).body;
  }
}

async function checkSize(context: ActionContext, vmSize: string): Promise<void> {
  const target = "vmSize";
  if (vmSize === "") {
    throw new CloudError("InvalidParameter", "The provided vmSize is empty.", { target });
  }
  checkMasterSize(vmSize);
  const { azure, document, signal } = context;
  const { location } = document.openShiftCluster;
  const sku = (await listMachineSkus(azure.compute, location, signal)).get(vmSize);
  if (!sku) {
    const message = `The selected SKU '${vmSize}' is unavailable in region '${location}'`;
    throw new CloudError("InvalidParameter", message, { target });
  }
  if (sku.restricted) {
    const message = `The selected SKU '${vmSize}' is restricted in region '${location}' for selected subscription`;
    throw new CloudError("InvalidParameter", message, { target });
  }
  await checkResizeQuota(context, await currentSizes(context), vmSize);
}

async function currentSizes(context: ActionContext): Promise<readonly string[]> {
  const machines = await controlPlaneMachines(context);
  if (machines.length !== controlPlaneReplicas) {
    throw new CloudError(
      "InternalServerError",
      `Expected ${controlPlaneReplicas} control plane machines but found ${machines.length}. Resize cannot proceed until all control plane machines are present.`,
      { target: "controlPlaneMachines" },
    );
  }
  const vms = await Promise.all(machines.map(({ name }) => getVm(context, name)));
  return vms.map(({ hardwareProfile }) => hardwareProfile?.vmSize ?? "");
}
