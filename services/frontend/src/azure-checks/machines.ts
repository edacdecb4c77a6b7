import type { OpenShiftCluster } from "@keelson/model";

/** Machines of one kind for a new cluster. `path` is the path of the machines' profile in the request. */
export interface WantedMachines {
  readonly path: string;
  readonly vmSize: string;
  readonly encryptionAtHost: boolean;
  readonly count: number;
}

/** Number of masters, plus the bootstrap machine that installs the three masters. */
const mastersWithBootstrap = 4;

/** Returns the masters first, then the workers by profile. */
export function wantedMachines({ properties }: OpenShiftCluster): readonly WantedMachines[] {
  const { masterProfile, workerProfiles } = properties;
  return [
    { ...masterProfile, path: "properties.masterProfile", count: mastersWithBootstrap },
    ...workerProfiles.map((profile, index) => ({ ...profile, path: `properties.workerProfiles[${index}]` })),
  ].map(({ path, vmSize, count, encryptionAtHost }) => ({
    path,
    vmSize,
    count,
    encryptionAtHost: encryptionAtHost === "Enabled",
  }));
}
