/** What `keelson sim` starts by itself. */
export { MachineConnections } from "./machine-connections.ts";
export { ProcessMachines } from "./machines/process-machines.ts";
export { openState } from "./open-state.ts";
export { publish } from "./publish.ts";
export { seedNetwork } from "./seed-network.ts";
export { startCosmos } from "./simulated-cosmos.ts";
export { startAzure, startClusters } from "./simulated-world.ts";
