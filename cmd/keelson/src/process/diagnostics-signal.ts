import { existsSync, lstatSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
import { foreignRights, type Logger, messageOf } from "@keelson/base";

/** Signal that requests diagnostics from a service process. */
export const diagnosticsSignal = "SIGUSR2";
const profileMs = 30_000;

/** Name of the file that requests a CPU profile. `keelson support-bundle` creates this file in the diagnostics directory. */
export const profileRequest = "profile-requested";

/** Returns the diagnostics directory of a process, below the temporary directory. Only the process's user can read it. */
export function diagnosticsDirectory(pid: number, uid = process.getuid?.() ?? 0): string {
  return join(tmpdir(), `keelson-diagnostics-${uid}`, `${pid}`);
}

/**
 * Creates the diagnostics directory of a process. The parent directory is in the temporary directory, where any user can create a
 * directory with the parent's name.
 * @throws Error if the parent is not a private directory of `uid` or of this process's user
 */
export function createDiagnosticsDirectory(directory: string, uid: number): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const parent = dirname(directory);
  const found = lstatSync(parent);
  const isOwn = found.uid === uid || found.uid === process.getuid?.();
  if (!found.isDirectory() || !isOwn || (found.mode & foreignRights) !== 0)
    throw new Error(`${parent} is not a private directory of the process's user. Remove it.`);
}

/**
 * Writes diagnostics on SIGUSR2 for `keelson support-bundle`. `heap.json` contains heap statistics and active resources. If a CPU
 * profile is requested, the process writes `cpu.cpuprofile` (Chromium format) after 30 s. Heap contents are not written.
 */
export function writeDiagnosticsOnSignal(logger: Logger, durationMs = profileMs): Disposable {
  let isRunning = false;
  const handle = () => {
    if (isRunning) return;
    isRunning = true;
    void write(durationMs)
      .then(() => logger.info({ directory: diagnosticsDirectory(process.pid) }, "diagnostics were written"))
      .catch((error: unknown) => logger.warn({ error: messageOf(error) }, "diagnostics were not written"))
      .finally(() => {
        isRunning = false;
      });
  };
  process.on(diagnosticsSignal, handle);
  return { [Symbol.dispose]: () => void process.off(diagnosticsSignal, handle) };
}

async function write(durationMs: number): Promise<void> {
  const directory = diagnosticsDirectory(process.pid);
  createDiagnosticsDirectory(directory, process.getuid?.() ?? 0);
  const put = (name: string, value: unknown) => {
    const path = join(directory, name);
    writeFileSync(`${path}.part`, JSON.stringify(value), { mode: 0o600 });
    renameSync(`${path}.part`, path);
  };
  put("heap.json", {
    at: new Date().toISOString(),
    uptimeSeconds: Math.round(process.uptime()),
    memory: process.memoryUsage(),
    heap: getHeapStatistics(),
    spaces: getHeapSpaceStatistics(),
    activeResources: counted(process.getActiveResourcesInfo()),
  });
  if (!existsSync(join(directory, profileRequest))) return;
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    await delay(durationMs, undefined, { ref: false });
    const { profile } = await session.post("Profiler.stop");
    put("cpu.cpuprofile", profile);
  } finally {
    session.disconnect();
  }
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}
