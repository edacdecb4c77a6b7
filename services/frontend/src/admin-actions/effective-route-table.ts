import { checkNicGiven, effectiveRouteTable as readRoutes } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

export const effectiveRouteTable: AdminAction<{ readonly nic: string }> = {
  method: "GET",
  suffix: "effectiveroutetable",
  mutating: false,
  long: { limitMs: 10 * 60_000 },
  read(request) {
    const nic = request.query("nic") ?? "";
    checkNicGiven(nic);
    return { nic };
  },
  handle: async (context, { nic }) => ({ status: 200, body: await readRoutes(context, nic) }),
};
