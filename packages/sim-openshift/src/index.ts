export {
  type SimulatedClusters,
  type SimulatedClustersOptions,
  startSimulatedClusters,
} from "./simulated-clusters.ts";
export { defaultTimings, instantTimings, type Timings } from "./timings.ts";
