import { countEtcdKeys } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { streamLimitMs } from "./stream-limit.ts";

/** Counts the keys that namespaces have in etcd. */
export const etcdKeyCount: AdminAction<{ readonly vmName: string }> = {
  method: "POST",
  suffix: "etcdkeycount",
  mutating: true,
  long: { limitMs: streamLimitMs },
  read: (exchange) => ({ vmName: exchange.query("vmName") ?? "" }),
  handle: async (context, { vmName }) => ({ status: 200, text: countEtcdKeys(context, vmName) }),
};
