import { listResources as list } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** What the cluster consists of in Azure, as a stream. */
export const listResources: AdminAction = {
  method: "GET",
  suffix: "resources",
  mutating: false,
  long: { limitMs: 10 * 60_000 },
  read: () => ({}),
  handle: async (context) => ({ status: 200, items: list(context) }),
};
