export { startHandler } from "./https-handler.ts";
export { largeCluster, largestCluster } from "./large-cluster.ts";
