export { addKinds } from "./open-shift-kinds.ts";
export {
  type ContextOptions,
  infraId,
  masters,
  namespace,
  type SimulatedCluster,
  startSimulatedCluster,
  worker,
} from "./simulated-cluster.ts";
