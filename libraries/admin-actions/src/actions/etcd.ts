import { countEtcdKeys } from "../kubernetes/exec.ts";
import { recoverEtcd } from "../kubernetes/recover-etcd.ts";
import { renewEtcdCertificates } from "../kubernetes/renew-etcd-certificates.ts";
import { vmName } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";
import { streamLimitMs } from "./time-limits.ts";

export const etcdKeyCount = declareAction({
  method: "POST",
  suffix: "etcdkeycount",
  role: "operator",
  summary: "count the keys of etcd",
  remarks: "number of etcd keys in each namespace, as text",
  long: { limitMs: streamLimitMs },
  parameters: { vmName },
  handle: async (context, parameters) => ({ text: countEtcdKeys(context, parameters.vmName) }),
});

/** Recovery continues after its caller disconnects, because an incomplete recovery is worse than no recovery. */
export const etcdRecovery = declareAction({
  method: "POST",
  suffix: "etcdrecovery",
  role: "elevated",
  summary: "replace a failed member of etcd",
  destructive: true,
  remarks: "replaces a single failed etcd member. Returns text",
  long: { limitMs: 30 * 60_000, detached: true },
  parameters: {},
  handle: async (context, _, journal) => ({ text: [await recoverEtcd(context, journal)] }),
});

/** The rollout may last 30 minutes. If it fails, the rollback may last 30 more minutes. */
export const etcdCertificateRenew = declareAction({
  method: "POST",
  suffix: "etcdcertificaterenew",
  role: "elevated",
  summary: "renew the certificates of etcd",
  destructive: true,
  remarks: "renews the etcd certificates of a cluster with an OpenShift version before 4.9",
  long: { limitMs: 75 * 60_000, detached: true },
  parameters: {},
  handle: (context, _, journal) => renewEtcdCertificates(context, journal),
});
