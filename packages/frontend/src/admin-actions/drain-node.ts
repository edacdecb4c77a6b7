import { drainNode as drain } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";

/** Deletes the pods of a node, which takes three minutes at most. */
export const drainNode: AdminAction<{ readonly vmName: string }> = {
  method: "POST",
  suffix: "drainnode",
  mutating: true,
  long: { limitMs: 4 * 60_000 },
  read: (exchange) => ({ vmName: exchange.query("vmName") ?? "" }),
  async handle(context, { vmName }) {
    await drain(context, vmName);
    return { status: 200 };
  },
};
