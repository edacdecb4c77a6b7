export { clusterAccess } from "./fleet/cluster-access.ts";
export { type Monitor, startMonitor } from "./start-monitor.ts";
