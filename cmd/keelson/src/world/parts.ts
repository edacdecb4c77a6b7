/** Modules that `keelson sim` loads. */
export { ProcessMachines } from "./machines/process-machines.ts";
export { openState } from "./open-state.ts";
export { publishEndpoints } from "./publish-endpoints.ts";
export { publishPorts } from "./publish-ports.ts";
export { publishServiceConfig } from "./publish-service-config.ts";
export { seedInstallerServices } from "./seed-installer-services.ts";
export { seedNetwork } from "./seed-network.ts";
export { startCosmos } from "./simulated-cosmos.ts";
export { startControlServer } from "./snapshots/control-server.ts";
export { EmbeddedWorld } from "./snapshots/embedded-world.ts";
export { WorldControl } from "./snapshots/world-control.ts";
export { startAzure } from "./start-azure.ts";
export { openClusters, startClusters } from "./start-clusters.ts";
