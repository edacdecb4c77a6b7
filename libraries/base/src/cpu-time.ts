import process from "node:process";
import type { Worker } from "node:worker_threads";

/** Returns the CPU time that this thread has used, in ms. Time in which other programs run does not count. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns the CPU time that all threads of this process have used, in ms. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Returns the CPU time of a worker thread in ms. Returns 0 while it starts and after it has exited. */
export async function workerCpuMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}
