import { readdirSync, readFileSync } from "node:fs";

/** Of `/proc`, which counts in hundredths of a second on every Linux. */
const tickMs = 10;

/** CPU time of a process, and of its children, also those that have ended, where wanted, so far. NaN where the system has no `/proc`. */
export function cpuMsOf(pid: number, { children = false } = {}): number {
  const own = stat(pid)?.cpuMs ?? Number.NaN;
  if (!children || Number.isNaN(own)) return own;
  const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const below = others.map((name) => stat(Number(name))).filter((each) => each?.parent === pid);
  const ended = stat(pid)?.endedChildrenMs ?? 0;
  return below.reduce((sum, each) => sum + (each?.cpuMs ?? 0), own + ended);
}

/** The child of a process whose command line has this text. */
export function findChild(pid: number, text: string): number | undefined {
  const children = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && stat(Number(name))?.parent === pid,
  );
  const found = children.find((name) => readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text));
  return found === undefined ? undefined : Number(found);
}

/** Resident memory of a process in megabytes. NaN where the system has no `/proc`. */
export function residentMb(pid: number): number {
  return memoryMb(pid, /^VmRSS:\s+(\d+) kB$/m);
}

/** The most that was resident so far. */
export function peakResidentMb(pid: number): number {
  return memoryMb(pid, /^VmHWM:\s+(\d+) kB$/m);
}

function memoryMb(pid: number, line: RegExp): number {
  try {
    return Number(line.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
  } catch {
    return Number.NaN;
  }
}

interface Stat {
  readonly parent: number;
  readonly cpuMs: number;
  readonly endedChildrenMs: number;
}

function stat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces. Then: state, parent, ...; user and system time are fields 14 and 15, those of
    // children that have ended 16 and 17.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) * tickMs;
    return { parent: Number(fields[1]), cpuMs: ticks(11), endedChildrenMs: ticks(13) };
  } catch {
    return undefined;
  }
}
