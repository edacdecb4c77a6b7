import { redeployVm as redeploy } from "@keelson/admin-actions";
import { machineWork, type VmParameters, vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

export const redeployVm: AdminAction<VmParameters> = {
  method: "POST",
  suffix: "redeployvm",
  mutating: true,
  long: machineWork,
  read: vmNameOf,
  async handle(context, { vmName }, journal) {
    // A machine that was moved is not moved again by a process that takes over.
    await journal.step("redeploy", async () => {
      await redeploy(context, vmName);
      return true;
    });
    return { status: 200 };
  },
};
