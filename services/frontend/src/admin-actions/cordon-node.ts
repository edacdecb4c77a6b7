import { cordonNode as cordon } from "@keelson/admin-actions";
import { vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

/** Keeps pods off a node; without `shouldCordon=true` it lets them come again. */
export const cordonNode: AdminAction<{ readonly vmName: string; readonly shouldCordon: boolean }> = {
  method: "POST",
  suffix: "cordonnode",
  mutating: true,
  read: (request) => ({
    ...vmNameOf(request),
    shouldCordon: request.query("shouldCordon")?.toLowerCase() === "true",
  }),
  async handle(context, { vmName, shouldCordon }) {
    await cordon(context, vmName, shouldCordon);
    return { status: 200 };
  },
};
