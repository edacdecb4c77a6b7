import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** Milliseconds per CPU time unit in `/proc`. Every Linux system uses hundredths of a second. */
const tickMs = 10;

export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** True if the process has exited but its parent has not read its exit status yet. */
  readonly isZombie: boolean;
  readonly cpuMs: number;
  /** CPU time in milliseconds of exited children. Children count after the parent has read their exit status. */
  readonly endedChildrenMs: number;
}

export interface ProcessEntry extends ProcessStat {
  /** Role of a process according to its command line, for example `keelson up` or `pod: operator master`. */
  readonly role: string;
}

/** Returns all processes of the machine. Empty on systems other than Linux. */
export function listProcesses(): readonly ProcessStat[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStat(Number(name)) ?? []);
  } catch {
    return [];
  }
}

/** Returns a process and its descendants, the process first. Empty if the process has exited. */
export function processTree(root: number): readonly ProcessEntry[] {
  const alive = listProcesses().filter(({ isZombie }) => !isZombie);
  const below = (pid: number): readonly ProcessStat[] =>
    alive.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...below(each.pid)]);
  const own = alive.find(({ pid }) => pid === root);
  if (own === undefined) return [];
  return [own, ...below(root)].map((each) => ({ ...each, role: processRole(commandLine(each.pid)) }));
}

/** Reads `/proc/PID/stat`. Undefined if the process has exited. */
export function readStat(pid: number): ProcessStat | undefined {
  const text = readProcess(pid, "stat");
  if (text === "") return undefined;
  // The name in parentheses may contain spaces. The state and the parent follow it. Fields 14 and 15 are user and system time.
  // Fields 16 and 17 are the times of exited children.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) * tickMs;
  return {
    pid,
    parent: Number(fields[1]),
    isZombie: fields[0] === "Z",
    cpuMs: ticks(11),
    endedChildrenMs: ticks(13),
  };
}

/** Reads a file in `/proc/PID`. Empty if the process has exited or belongs to a different user. */
export function readProcess(
  pid: number,
  file: "cmdline" | "environ" | "smaps_rollup" | "stat" | "status",
): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/**
 * Returns the proportional set size (`Pss`) in MiB: memory in which shared pages are divided among their processes. NaN if the
 * process has exited or belongs to a different user.
 */
export function proportionalMib(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readProcess(pid, "smaps_rollup"))?.[1]) / 1_024;
}

/** Returns the number of open files. NaN if the process has exited or belongs to a different user. */
export function openFileCount(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

function commandLine(pid: number): readonly string[] {
  return readProcess(pid, "cmdline").split("\0").filter(Boolean);
}

/** First words of a process's role, by script path. The role continues with the script's arguments. */
const scripts: Readonly<Record<string, string>> = {
  "main.ts": "keelson",
  "operator-container.ts": "pod:",
  "operator-host.ts": "operators",
};

/** Returns the role of a process. Exported for tests. */
export function processRole(args: readonly string[]): string {
  const at = args.findIndex((arg) => Object.hasOwn(scripts, basename(arg)));
  if (at < 0) return basename(args[0] ?? "");
  const firstFlag = args.findIndex((arg, index) => index > at && arg.startsWith("-"));
  const words = args.slice(at + 1, firstFlag < 0 ? args.length : firstFlag);
  return [scripts[basename(args[at] ?? "")], ...words].join(" ");
}
