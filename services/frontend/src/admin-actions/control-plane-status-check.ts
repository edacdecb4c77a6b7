import { checkControlPlane } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** Whether Machines, virtual machines and nodes of the masters agree, as they do after a resize. */
export const controlPlaneStatusCheck: AdminAction = {
  method: "GET",
  suffix: "controlplanestatuscheckafterresize",
  mutating: false,
  read: () => ({}),
  async handle(context) {
    await checkControlPlane(context);
    return { status: 200 };
  },
};
