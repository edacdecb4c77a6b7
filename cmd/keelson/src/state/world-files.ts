import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliErrors } from "../output/cli-errors.ts";

/** The parts of the simulated world that a process can run. */
export type WorldPart = "azure" | "clusters";

/**
 * The documents in a database refer to resources and clusters of one world: with another, every cluster would be lost.
 * @throws StateUnreadable where a directory has a database and a part of its world is gone
 */
export function requireWorld(directory: string, parts: readonly WorldPart[]): void {
  if (!existsSync(join(directory, "database"))) return;
  for (const part of parts) {
    const path = join(directory, `${part}.sqlite`);
    if (existsSync(path)) continue;
    throw cliErrors.StateUnreadable(
      `${path} cannot be used (it is gone, and the database beside it is about what it held): restore it from a backup, or start afresh with another --state DIR`,
    );
  }
}
