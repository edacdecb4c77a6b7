export { addKinds } from "./open-shift-kinds.ts";
export {
  masters,
  namespace,
  type SimulatedCluster,
  startSimulatedCluster,
  worker,
} from "./simulated-cluster.ts";
