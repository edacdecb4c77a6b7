import { recoverEtcd } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** Replaces a single failed member of etcd. Half of that would be worse than none: it goes on without its caller. */
export const etcdRecovery: AdminAction = {
  method: "POST",
  suffix: "etcdrecovery",
  mutating: true,
  long: { limitMs: 30 * 60_000, detached: true },
  read: () => ({}),
  handle: async (context, _, journal) => ({ status: 200, text: [await recoverEtcd(context, journal)] }),
};
