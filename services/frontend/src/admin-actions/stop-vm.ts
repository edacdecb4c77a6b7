import { stopVm as stop } from "@keelson/admin-actions";
import { machineWork, vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

export const stopVm: AdminAction<{ readonly vmName: string; readonly deallocateVM: boolean }> = {
  method: "POST",
  suffix: "stopvm",
  mutating: true,
  long: machineWork,
  read: (request) => ({
    ...vmNameOf(request),
    deallocateVM: request.query("deallocateVM")?.toLowerCase() === "true",
  }),
  async handle(context, { vmName, deallocateVM }) {
    await stop(context, vmName, deallocateVM);
    return { status: 200 };
  },
};
