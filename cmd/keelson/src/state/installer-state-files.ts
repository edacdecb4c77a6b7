/** File of a state directory that installs clusters by Hive. */
export const managementClusterFile = "hive.json";

/** File of a state directory that installs clusters by ARO's installer. A directory has at most one of both. */
export const aroInstallerFile = "aro-installer.json";
