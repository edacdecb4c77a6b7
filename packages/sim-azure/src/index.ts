export { defaultTimings, instantTimings, type Range, type Timings } from "./arm/timings.ts";
export {
  type SimulatedAzure,
  type SimulatedAzureOptions,
  type SimulatedPrincipal,
  startSimulatedAzure,
} from "./simulated-azure.ts";
