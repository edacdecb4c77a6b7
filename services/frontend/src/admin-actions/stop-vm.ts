import { stopVm as stop } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { machineWork, vmNameOf } from "./vm-name.ts";

export const stopVm: AdminAction<{ readonly vmName: string; readonly deallocateVM: boolean }> = {
  method: "POST",
  suffix: "stopvm",
  mutating: true,
  long: machineWork,
  read: (exchange) => ({
    ...vmNameOf(exchange),
    deallocateVM: exchange.query("deallocateVM")?.toLowerCase() === "true",
  }),
  async handle(context, { vmName, deallocateVM }) {
    await stop(context, vmName, deallocateVM);
    return { status: 200 };
  },
};
