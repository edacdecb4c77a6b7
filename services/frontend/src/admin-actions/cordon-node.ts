import { cordonNode as cordon } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { vmNameOf } from "./vm-name.ts";

/** Keeps pods off a node; without `shouldCordon=true` it lets them come again. */
export const cordonNode: AdminAction<{ readonly vmName: string; readonly shouldCordon: boolean }> = {
  method: "POST",
  suffix: "cordonnode",
  mutating: true,
  read: (exchange) => ({
    ...vmNameOf(exchange),
    shouldCordon: exchange.query("shouldCordon")?.toLowerCase() === "true",
  }),
  async handle(context, { vmName, shouldCordon }) {
    await cordon(context, vmName, shouldCordon);
    return { status: 200 };
  },
};
