import { CloudError, type CloudErrorBody } from "@keelson/arm";
import { messageOf, withTimeout } from "@keelson/base";
import { type OpenShiftCluster, type WorkerProfile, withProperties } from "@keelson/model";
import type { ClusterContext } from "../../context/context.ts";
import { workerMachineSets, workerProfileOf } from "../../live/worker-profiles.ts";
import { validateDiskEncryptionSets } from "./disk-encryption-set.ts";
import { validateNetwork } from "./linked-network.ts";
import type { Subject } from "./subject.ts";
import { checkSubnets } from "./subnet-state.ts";

/** Time for the list of MachineSets: the API server may be down before the operation starts its machines. */
const readMs = 30_000;

/** A hostile cluster must not cause requests to Azure without limit. */
const maxChecked = 20;

/**
 * Reads the MachineSets of workers and validates their subnets and disk encryption sets for the cluster's own
 * identity. Invalid ones are warnings, because the customer may have deleted the resource together with the
 * machines. If MachineSets cannot be read, only `workerProfiles` are validated.
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

/** Returns profiles of MachineSets, one for each unrequested pair of subnet and disk encryption set. */
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
