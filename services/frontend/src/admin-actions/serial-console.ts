import { serialConsole as readConsole } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { type VmParameters, vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

export const serialConsole: AdminAction<VmParameters> = {
  method: "GET",
  suffix: "serialconsole",
  mutating: false,
  long: { limitMs: 10 * 60_000 },
  read(request) {
    if (request.query("vmName")) return vmNameOf(request);
    throw new CloudError("InvalidParameter", "The vmName parameter is required.");
  },
  handle: async (context, { vmName }) => ({ status: 200, text: await readConsole(context, vmName) }),
};
