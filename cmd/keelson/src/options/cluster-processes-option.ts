import { InvalidArgumentError, Option } from "commander";
import { maxClusterProcesses } from "../state/cluster-processes.ts";

/** `--cluster-processes N` */
export function clusterProcessesOption(): Option {
  return new Option(
    "--cluster-processes <n>",
    `number of processes that run the simulated clusters, 1 to ${maxClusterProcesses}, so that the clusters use several CPU cores. ` +
      "A crashed process interrupts only its own clusters. The number cannot change after the first start with a state directory " +
      "(default: value of the last start with this state directory; in a new state directory: 1)",
  ).argParser(parseClusterProcesses);
}

function parseClusterProcesses(text: string): number {
  const count = Number(text);
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= maxClusterProcesses) return count;
  throw new InvalidArgumentError(`expected 1 to ${maxClusterProcesses}, for example 2.`);
}
