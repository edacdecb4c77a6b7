import { effectiveRouteTable as read } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";

export const effectiveRouteTable: AdminAction<{ readonly nic: string }> = {
  method: "GET",
  suffix: "effectiveroutetable",
  mutating: false,
  long: { limitMs: 10 * 60_000 },
  read: (exchange) => ({ nic: exchange.query("nic") ?? "" }),
  handle: async (context, { nic }) => ({ status: 200, body: await read(context, nic) }),
};
