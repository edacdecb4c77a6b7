export {
  type Fault,
  type SimulatedCall,
  type SimulatedCosmos,
  type SimulatedCosmosOptions,
  startSimulatedCosmos,
} from "./start-cosmos.ts";
