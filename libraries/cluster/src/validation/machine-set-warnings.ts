import { CloudError, type CloudErrorBody } from "@keelson/arm";
import { messageOf, withTimeout } from "@keelson/base";
import { type OpenShiftCluster, type WorkerProfile, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { workerMachineSets, workerProfileOf } from "../live/worker-profiles.ts";
import { validateDiskEncryptionSets } from "./disk-encryption-set.ts";
import { validateNetwork } from "./linked-network.ts";
import type { Subject } from "./subject.ts";
import { checkSubnets } from "./subnet-state.ts";

/**
 * Time limit for listing MachineSets in ms. It is short, because the API server does not respond if the cluster's machines are
 * stopped. A later step starts them.
 */
const readMs = 30_000;

/** Maximum number of MachineSets to check. The limit prevents a hostile cluster from causing unlimited requests to Azure. */
const maxChecked = 20;

/**
 * Checks the subnets and disk encryption sets of worker MachineSets, including the permissions of the subject `own` on these
 * resources. A problem causes only a warning, because the customer may have deleted a MachineSet's resources together with its
 * machines. If the MachineSets cannot be read, they are not validated.
 */
export async function warnAboutMachineSets(context: ClusterContext, own: Subject): Promise<void> {
  const { cluster, signal } = context;
  for (const profile of await unrequestedProfiles(context)) {
    const target = `properties.workerProfilesStatus['${profile.name}']`;
    for (const { code, message } of await faultsOf(own, withWorkers(cluster, profile), context)) {
      signal.throwIfAborted();
      context.warn({ code, message, target });
    }
  }
}

/**
 * Returns one worker profile for each pair of subnet and disk encryption set that MachineSets use and that the request does not
 * contain.
 */
async function unrequestedProfiles(context: ClusterContext): Promise<readonly WorkerProfile[]> {
  const { cluster, logger, signal } = context;
  const seen = new Set(cluster.properties.workerProfiles.map(linkedIds));
  try {
    const sets = await workerMachineSets(context.kube(), withTimeout(signal, readMs));
    return sets
      .map((set) => workerProfileOf(cluster, set))
      .filter((profile) => !seen.has(linkedIds(profile)) && seen.add(linkedIds(profile)))
      .slice(0, maxChecked);
  } catch (error) {
    signal.throwIfAborted();
    logger.info({ error: messageOf(error) }, "MachineSets are not validated: the cluster cannot be read");
    return [];
  }
}

const linkedIds = ({ subnetId, diskEncryptionSetId = "" }: WorkerProfile) =>
  `${subnetId} ${diskEncryptionSetId}`.toLowerCase();

function withWorkers(cluster: OpenShiftCluster, profile: WorkerProfile): OpenShiftCluster {
  return withProperties(cluster, { workerProfiles: [profile] });
}

async function faultsOf(
  own: Subject,
  cluster: OpenShiftCluster,
  { logger, signal }: ClusterContext,
): Promise<readonly CloudErrorBody[]> {
  const checks = [
    async () => checkSubnets(cluster, await validateNetwork(own, cluster, signal)),
    () => validateDiskEncryptionSets(own, cluster, signal),
  ];
  const faults: CloudErrorBody[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (error instanceof CloudError) faults.push(error.body);
      else logger.warn({ error: messageOf(error) }, "a MachineSet could not be validated");
    }
  }
  return faults;
}
