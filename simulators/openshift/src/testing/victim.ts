import { startSimulation } from "./simulation.ts";

/** Runs the simulation until the process is killed. The only argument is a SimulationConfig in JSON. */
await startSimulation(JSON.parse(process.argv[2] ?? ""));
process.stdout.write("running\n");
