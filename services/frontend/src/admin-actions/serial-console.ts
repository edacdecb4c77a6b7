import { serialConsole as readConsole } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import type { AdminAction } from "../admin-action.ts";
import { type VmParameters, vmNameOf } from "./vm-name.ts";

export const serialConsole: AdminAction<VmParameters> = {
  method: "GET",
  suffix: "serialconsole",
  mutating: false,
  long: { limitMs: 10 * 60_000 },
  read(exchange) {
    if (exchange.query("vmName")) return vmNameOf(exchange);
    throw new CloudError("InvalidParameter", "The vmName parameter is required.");
  },
  handle: async (context, { vmName }) => ({ status: 200, text: await readConsole(context, vmName) }),
};
