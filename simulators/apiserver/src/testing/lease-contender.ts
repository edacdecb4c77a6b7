/**
 * Leader election candidate that holds a Lease while it runs. It implements client-go's `leaderelection`, because the official
 * Node.js client has no leader election. After each renewal, it prints a line with its name, the time of acquisition and the end
 * of its leadership. The times are in milliseconds since 1970. After each attempt that does not acquire the lease, it prints only
 * its name.
 *
 *     node lease-contender.ts KUBECONFIG NAME LEASE_MS DEADLINE_MS RETRY_MS
 */

import { setTimeout as sleep } from "node:timers/promises";
import {
  ApiException,
  CoordinationV1Api,
  KubeConfig,
  type V1Lease,
  V1MicroTime,
} from "@kubernetes/client-node";

const [file = "", name = "", leaseMs, deadlineMs, retryMs] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromFile(file);
const leases = config.makeApiClient(CoordinationV1Api);
const place = { namespace: "default", name: "leader" };

let observed = { version: "", at: 0 };

for (;;) {
  const now = Date.now();
  try {
    const leads = await tryToLead(now);
    process.stdout.write(leads ? `${name} ${now} ${now + Number(deadlineMs)}\n` : `${name}\n`);
  } catch (error) {
    // A different candidate acquired the lease first. The next attempt follows later.
    if (!(error instanceof ApiException && error.code === 409)) throw error;
  }
  await sleep(Number(retryMs));
}

/**
 * True if this candidate acquired or renewed the Lease. A Lease of a different candidate can be acquired only if its holder has
 * not renewed it for the lease duration.
 */
async function tryToLead(now: number): Promise<boolean> {
  const lease = await find();
  const time = new V1MicroTime(now);
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: Math.ceil(Number(leaseMs) / 1_000),
    renewTime: time,
  };
  if (!lease) {
    const body = {
      metadata: { name: place.name },
      spec: { ...spec, acquireTime: time, leaseTransitions: 0 },
    };
    await leases.createNamespacedLease({ namespace: place.namespace, body });
    return true;
  }
  const version = lease.metadata?.resourceVersion ?? "";
  if (version !== observed.version) observed = { version, at: now };
  const ours = lease.spec?.holderIdentity === name;
  if (!ours && now < observed.at + Number(leaseMs)) return false;
  const transitions = (lease.spec?.leaseTransitions ?? 0) + (ours ? 0 : 1);
  const body = { ...lease, spec: { ...lease.spec, ...spec, leaseTransitions: transitions } };
  await leases.replaceNamespacedLease({ ...place, body });
  return true;
}

async function find(): Promise<V1Lease | undefined> {
  try {
    return await leases.readNamespacedLease(place);
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  }
}
