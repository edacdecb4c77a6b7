import { countEtcdKeys } from "@keelson/admin-actions";
import { streamLimitMs, type VmParameters, vmNameOf } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

/** Counts the keys that namespaces have in etcd. */
export const etcdKeyCount: AdminAction<VmParameters> = {
  method: "POST",
  suffix: "etcdkeycount",
  mutating: true,
  long: { limitMs: streamLimitMs },
  read: vmNameOf,
  handle: async (context, { vmName }) => ({ status: 200, text: countEtcdKeys(context, vmName) }),
};
