import { checkMasterSize, getVm, resizeVm as resize } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { machineWork, vmNameOf } from "./vm-name.ts";

/** Gives one machine another size, as part of maintenance that was announced. */
export const resizeVm: AdminAction<{ readonly vmName: string; readonly vmSize: string }> = {
  method: "POST",
  suffix: "resize",
  mutating: true,
  planned: true,
  long: machineWork,
  read(exchange) {
    const vmSize = exchange.query("vmSize") ?? "";
    const parameters = { ...vmNameOf(exchange), vmSize };
    checkMasterSize(vmSize);
    return parameters;
  },
  async handle(context, { vmName, vmSize }) {
    await getVm(context, vmName);
    await resize(context, vmName, vmSize);
    return { status: 200 };
  },
};
