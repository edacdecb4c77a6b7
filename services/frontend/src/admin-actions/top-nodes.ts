import { topNodes as top } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** What the nodes use. */
export const topNodes: AdminAction = {
  method: "GET",
  suffix: "top/nodes",
  mutating: false,
  read: () => ({}),
  handle: async (context) => ({ status: 200, body: await top(context) }),
};
