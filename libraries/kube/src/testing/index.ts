export { startHandler } from "./https-handler.ts";
export { type LargeCluster, largeCluster, largestCluster } from "./large-cluster.ts";
