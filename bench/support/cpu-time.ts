import { listProcesses, readProcess, readStat } from "../../scripts/process-table.ts";

/**
 * Returns the CPU time of a process in milliseconds. If `children` is true, includes the CPU time of running and exited children.
 * NaN on systems without `/proc`.
 */
export function cpuMsOf(pid: number, { children = false } = {}): number {
  const own = readStat(pid);
  if (!children || own === undefined) return own?.cpuMs ?? Number.NaN;
  return listProcesses()
    .filter(({ parent }) => parent === pid)
    .reduce((sum, { cpuMs }) => sum + cpuMs, own.cpuMs + own.endedChildrenMs);
}

/** Returns the ID of a child process with this string in its command line. */
export function findChild(pid: number, text: string): number | undefined {
  return listProcesses().find(
    (each) => each.parent === pid && readProcess(each.pid, "cmdline").includes(text),
  )?.pid;
}

/** Returns the resident memory of a process in MB. NaN on systems without `/proc`. */
export function residentMb(pid: number): number {
  return memoryMb(pid, /^VmRSS:\s+(\d+) kB$/m);
}

/** Returns the peak resident memory of a process in MB. */
export function peakResidentMb(pid: number): number {
  return memoryMb(pid, /^VmHWM:\s+(\d+) kB$/m);
}

function memoryMb(pid: number, line: RegExp): number {
  return Number(line.exec(readProcess(pid, "status"))?.[1]) / 1000;
}
