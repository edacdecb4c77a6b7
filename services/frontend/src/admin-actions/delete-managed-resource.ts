import { deleteManagedResource as remove } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

export const deleteManagedResource: AdminAction<{ readonly managedResourceID: string }> = {
  method: "POST",
  suffix: "deletemanagedresource",
  mutating: true,
  long: { limitMs: 60 * 60_000 },
  read: (request) => ({ managedResourceID: request.query("managedResourceID") ?? "" }),
  async handle(context, { managedResourceID }) {
    await remove(context, managedResourceID);
    return { status: 200 };
  },
};
