import { CloudError } from "@keelson/arm";
import { availableSizes as sizes } from "../azure/machine-sizes.ts";
import { redeployVm as redeploy } from "../azure/redeploy-vm.ts";
import { serialConsole as readConsole } from "../azure/serial-console.ts";
import { getVm, resizeVm as resize, startVm as start, stopVm as stop } from "../azure/virtual-machine.ts";
import { flag, vmName } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";
import { masterSize } from "./master-size.ts";
import { machineWork } from "./time-limits.ts";

const waits = "returns when Azure has finished the operation";

export const startVm = declareAction({
  method: "POST",
  suffix: "startvm",
  role: "operator",
  summary: "start a machine",
  remarks: waits,
  long: machineWork,
  parameters: { vmName },
  handle: (context, parameters) => start(context, parameters.vmName),
});

export const stopVm = declareAction({
  method: "POST",
  suffix: "stopvm",
  role: "operator",
  summary: "stop a machine",
  destructive: true,
  remarks: waits,
  long: machineWork,
  parameters: { vmName, deallocateVM: flag("deallocateVM") },
  handle: (context, parameters) => stop(context, parameters.vmName, parameters.deallocateVM),
});

export const redeployVm = declareAction({
  method: "POST",
  suffix: "redeployvm",
  role: "operator",
  summary: "redeploy a machine",
  destructive: true,
  remarks: waits,
  long: machineWork,
  parameters: { vmName },
  async handle(context, parameters, journal) {
    // A process that resumes the action does not move the machine a second time.
    await journal.step("redeploy", async () => {
      await redeploy(context, parameters.vmName);
      return true;
    });
  },
});

export const serialConsole = declareAction({
  method: "GET",
  suffix: "serialconsole",
  role: "reader",
  summary: "read a machine's serial console",
  remarks: "the log of the serial console as text",
  long: { limitMs: 10 * 60_000 },
  parameters: {
    vmName: {
      ...vmName,
      read(input) {
        if (input.query("vmName")) return vmName.read(input);
        throw new CloudError("InvalidParameter", "The vmName parameter is required.");
      },
    },
  },
  handle: async (context, parameters) => ({
    text: await readConsole(context, parameters.vmName),
  }),
});

export const availableSizes = declareAction({
  method: "GET",
  suffix: "skus",
  role: "reader",
  summary: "sizes that the subscription may have",
  remarks: "VM sizes that the subscription may use",
  parameters: {},
  handle: async (context) => ({ body: await sizes(context) }),
});

/** Resizes a master. The action is planned work, because a resize is part of announced maintenance. */
export const resizeVm = declareAction({
  method: "POST",
  suffix: "resize",
  role: "elevated",
  summary: "resize a master",
  destructive: true,
  remarks: "resizes one master. Only VM sizes for masters are accepted",
  planned: true,
  long: machineWork,
  parameters: { vmName, vmSize: masterSize },
  async handle(context, parameters) {
    await getVm(context, parameters.vmName);
    await resize(context, parameters.vmName, parameters.vmSize);
  },
});
