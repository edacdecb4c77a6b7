import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { InspectedProcess } from "../../bench/support/inspected-process.ts";
import { openFileCount, processTree, proportionalMib } from "../../scripts/process-table.ts";
import type { ProcessMeasures } from "./soak-row.ts";

/**
 * Measures a process and then each of its descendants, because all inspectors listen on the same port.
 * @throws Error if a process exits during the measurement
 */
export async function measureProcesses(
  root: number,
  inspectPort: number,
  /** Called for each inspected process, for example to write a heap snapshot. */
  inspect: (process: InspectedProcess, role: string) => Promise<void> = async () => undefined,
): Promise<readonly ProcessMeasures[]> {
  const measures: ProcessMeasures[] = [];
  for (const { pid, role } of processTree(root)) {
    const files = openFileCount(pid);
    await using inspected = await InspectedProcess.connect(pid, inspectPort);
    const resources = await inspected.activeResources();
    const liveMib = await inspected.liveMib();
    measures.push({ role, pid, liveMib, pssMib: proportionalMib(pid), files, resources });
    await inspect(inspected, role);
  }
  return measures;
}

/** Directory of PostgreSQL's write-ahead log. Its size varies because PostgreSQL recycles the segments of the log. */
export const writeAheadLog = "database/pg_wal";

/**
 * Returns the bytes in a state directory by the first path component. The write-ahead log has a separate entry. Entries smaller
 * than `least` bytes, such as keys, locks and settings, are omitted.
 */
export function storedBytes(directory: string, least = 2 ** 20): Readonly<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of readdirSync(directory)) {
    // Counts SQLite's write-ahead log as part of its database file.
    const subject = name.replace(/\.sqlite-\w+$/, ".sqlite");
    sizes[subject] = (sizes[subject] ?? 0) + sizeOf(join(directory, name));
  }
  const logBytes = sizeOf(join(directory, writeAheadLog));
  sizes[writeAheadLog] = logBytes;
  sizes.database = (sizes.database ?? 0) - logBytes;
  return Object.fromEntries(Object.entries(sizes).filter(([, bytes]) => bytes >= least));
}

function sizeOf(path: string): number {
  try {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.size;
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  } catch {
    // The file was deleted during the measurement.
    return 0;
  }
}
