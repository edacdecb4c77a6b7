import { checkNicName, reconcileFailedNic as reconcile } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

export const reconcileFailedNic: AdminAction<{ readonly nicName: string }> = {
  method: "POST",
  suffix: "reconcilefailednic",
  mutating: true,
  long: { limitMs: 30 * 60_000 },
  read(request) {
    const nicName = request.query("nicName") ?? "";
    checkNicName(nicName);
    return { nicName };
  },
  async handle(context, { nicName }) {
    await reconcile(context, nicName);
    return { status: 200 };
  },
};
