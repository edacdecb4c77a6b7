/** Settings file in a state directory that installs clusters by Hive. */
export const managementClusterFile = "hive.json";

/**
 * Settings file in a state directory that installs clusters by ARO's installer. A directory contains at most one of the two
 * files.
 */
export const aroInstallerFile = "aro-installer.json";
