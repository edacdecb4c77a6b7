import { countEtcdKeys } from "@keelson/admin-actions";
import type { AdminAction } from "../admin-action.ts";
import { streamLimitMs } from "./stream-limit.ts";
import { type VmParameters, vmNameOf } from "./vm-name.ts";

/** Counts the keys that namespaces have in etcd. */
export const etcdKeyCount: AdminAction<VmParameters> = {
  method: "POST",
  suffix: "etcdkeycount",
  mutating: true,
  long: { limitMs: streamLimitMs },
  read: vmNameOf,
  handle: async (context, { vmName }) => ({ status: 200, text: countEtcdKeys(context, vmName) }),
};
