import { checkMasterSize, getVm, resizeVm as resize } from "@keelson/admin-actions";
import { machineWork, vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

/** Gives one machine another size, as part of maintenance that was announced. */
export const resizeVm: AdminAction<{ readonly vmName: string; readonly vmSize: string }> = {
  method: "POST",
  suffix: "resize",
  mutating: true,
  planned: true,
  long: machineWork,
  read(request) {
    const vmSize = request.query("vmSize") ?? "";
    const parameters = { ...vmNameOf(request), vmSize };
    checkMasterSize(vmSize);
    return parameters;
  },
  async handle(context, { vmName, vmSize }) {
    await getVm(context, vmName);
    await resize(context, vmName, vmSize);
    return { status: 200 };
  },
};
