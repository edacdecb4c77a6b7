export type { ClockState, Expiring } from "./api/clock.ts";
export type { FaultKindView, FaultView, NewFault } from "./api/faults.ts";
export type { NewLink } from "./api/info.ts";
export type { Orphan } from "./api/orphans.ts";
export type { LoggedBody, LoggedRequest, RequestSummary } from "./api/requests.ts";
export type { ConsoleOptions } from "./console-options.ts";
export { type Console, startConsole } from "./start-console.ts";
export type {
  CallWorld,
  ClusterChoices,
  PreparedCluster,
  World,
  WorldCall,
  WorldFacts,
  WorldResponse,
} from "./world/world.ts";
