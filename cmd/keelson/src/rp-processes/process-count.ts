import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";

/** Value of `--processes`: a number, or `auto` for one process per core. */
export type ProcessCount = number | "auto";

const most = 64;

export function parseProcessCount(text: string): ProcessCount {
  if (text === "auto") return text;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > most)
    throw new InvalidArgumentError(`expected 1 to ${most}, or auto, for example "2".`);
  return count;
}

/**
 * Returns the number of processes to start. Only one process can open an embedded database. Returns undefined if the database is
 * embedded and several processes are requested.
 */
export function processCount(
  asked: ProcessCount,
  database: "embedded" | "postgres" | "cosmos",
): number | undefined {
  const isEmbedded = database === "embedded";
  if (asked === "auto") return isEmbedded ? 1 : Math.min(most, availableParallelism());
  return isEmbedded && asked > 1 ? undefined : asked;
}
