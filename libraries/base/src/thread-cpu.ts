import process from "node:process";
import type { Worker } from "node:worker_threads";

/** CPU time in ms that this thread has used. Time in which other programs run does not count. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** CPU time in ms of a worker thread. 0 while it starts and after its end. */
export async function workerCpuMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}
