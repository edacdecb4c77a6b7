import { startVm as start } from "@keelson/admin-actions";
import { machineWork, type VmParameters, vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

export const startVm: AdminAction<VmParameters> = {
  method: "POST",
  suffix: "startvm",
  mutating: true,
  long: machineWork,
  read: vmNameOf,
  async handle(context, { vmName }) {
    await start(context, vmName);
    return { status: 200 };
  },
};
