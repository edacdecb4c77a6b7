import { renewEtcdCertificates } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** Renews etcd's certificates: half an hour for the roll-out and, if it does not come, as much for the way back. */
export const etcdCertificateRenew: AdminAction = {
  method: "POST",
  suffix: "etcdcertificaterenew",
  mutating: true,
  long: { limitMs: 75 * 60_000, detached: true },
  read: () => ({}),
  async handle(context, _, journal) {
    await renewEtcdCertificates(context, journal);
    return { status: 200 };
  },
};
