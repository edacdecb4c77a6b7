export { testRoleSets, withIdentities } from "./identity-clusters.ts";
export { newCluster } from "./new-cluster.ts";
export { preparedCluster } from "./prepared-cluster.ts";
