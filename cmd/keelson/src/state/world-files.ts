import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliErrors } from "../output/cli-errors.ts";
import { clustersFile } from "./cluster-processes.ts";

/** Simulators of the simulated world. A process can run one or both. */
export type WorldPart = "azure" | "clusters";

/**
 * Checks that a directory with a database also has the files of its simulators. The database refers to resources in these files.
 * If the simulators created new files, every cluster would be lost.
 * @throws StateUnreadable if a simulator's file is missing
 */
export function requireWorld(directory: string, parts: readonly WorldPart[], clusterProcesses = 1): void {
  if (!existsSync(join(directory, "database"))) return;
  const clusterFiles = Array.from({ length: clusterProcesses }, (_, index) => clustersFile(index + 1));
  const files = parts.flatMap((part) => (part === "clusters" ? clusterFiles : [`${part}.sqlite`]));
  for (const file of files) {
    const path = join(directory, file);
    if (existsSync(path)) continue;
    throw cliErrors.StateUnreadable(
      `${path} cannot be used (it is gone, and the database beside it is about what it held): restore it from a backup, or start afresh with another --state DIR`,
    );
  }
}
