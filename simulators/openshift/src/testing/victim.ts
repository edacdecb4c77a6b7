import { startSimulation } from "./simulation.ts";

/** A process that runs the simulation until it is killed. Its one argument is a SimulationConfig as JSON. */
await startSimulation(JSON.parse(process.argv[2] ?? ""));
process.stdout.write("running\n");
