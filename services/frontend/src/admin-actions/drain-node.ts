import { drainNode as drain } from "@keelson/admin-actions";
import { type VmParameters, vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

/** Deletes the pods of a node, which takes three minutes at most. */
export const drainNode: AdminAction<VmParameters> = {
  method: "POST",
  suffix: "drainnode",
  mutating: true,
  long: { limitMs: 4 * 60_000 },
  read: vmNameOf,
  async handle(context, { vmName }) {
    await drain(context, vmName);
    return { status: 200 };
  },
};
