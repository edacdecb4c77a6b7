import { topPods as top } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** What the platform's pods use. */
export const topPods: AdminAction<{ readonly allNamespaces: boolean }> = {
  method: "GET",
  suffix: "top/pods",
  mutating: false,
  read: (request) => ({ allNamespaces: request.query("allNamespaces") !== "false" }),
  handle: async (context, query) => ({ status: 200, body: await top(context, query) }),
};
