export { type KitCluster, type KitClusterOptions, kitServers } from "./kit-cluster.ts";
export { type KitOperator, type KitOperatorOptions, startKitOperator } from "./kit-operator.ts";
