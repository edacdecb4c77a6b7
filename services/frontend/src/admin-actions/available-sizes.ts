import { availableSizes as list } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** The sizes of machines that the cluster's subscription may have. */
export const availableSizes: AdminAction = {
  method: "GET",
  suffix: "skus",
  mutating: false,
  read: () => ({}),
  handle: async (context) => ({ status: 200, body: await list(context) }),
};
