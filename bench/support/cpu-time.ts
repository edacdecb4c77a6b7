import { listProcesses, readProcess, readStat } from "../../scripts/process-table.ts";

/** CPU time of a process, and of its children, also those that have ended, where wanted, so far. NaN where the system has no `/proc`. */
export function cpuMsOf(pid: number, { children = false } = {}): number {
  const own = readStat(pid);
  if (!children || own === undefined) return own?.cpuMs ?? Number.NaN;
  return listProcesses()
    .filter(({ parent }) => parent === pid)
    .reduce((sum, { cpuMs }) => sum + cpuMs, own.cpuMs + own.endedChildrenMs);
}

/** Returns the ID of a process's child with this string in its command line. */
export function findChild(pid: number, text: string): number | undefined {
  return listProcesses().find(
    (each) => each.parent === pid && readProcess(each.pid, "cmdline").includes(text),
  )?.pid;
}

/** Resident memory of a process in megabytes. NaN where the system has no `/proc`. */
export function residentMb(pid: number): number {
  return memoryMb(pid, /^VmRSS:\s+(\d+) kB$/m);
}

/** Returns the peak resident memory in megabytes. */
export function peakResidentMb(pid: number): number {
  return memoryMb(pid, /^VmHWM:\s+(\d+) kB$/m);
}

function memoryMb(pid: number, line: RegExp): number {
  return Number(line.exec(readProcess(pid, "status"))?.[1]) / 1000;
}
