/** Settings file in a state directory that is set up for Hive. */
export const managementClusterFile = "hive.json";

/**
 * Settings file in a state directory that is set up for ARO's installer without Hive. A directory contains at most one of the two
 * files.
 */
export const aroInstallerFile = "aro-installer.json";
