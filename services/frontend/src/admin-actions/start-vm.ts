import { startVm as start } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { machineWork, type VmParameters, vmNameOf } from "./vm-name.ts";

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
