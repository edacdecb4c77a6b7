import type { OpenShiftCluster } from "@keelson/model";

/** Machines of one kind in the request for a new cluster. `path` is the path of their profile. */
export interface WantedMachines {
  readonly path: string;
  readonly vmSize: string;
  readonly encryptionAtHost: boolean;
  readonly count: number;
}

/** Three masters, and the machine that installs them. */
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
