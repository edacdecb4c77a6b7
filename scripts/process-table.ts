import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** `/proc` counts CPU time in hundredths of a second on every Linux. */
const tickMs = 10;

export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** A zombie has exited. Its parent has not read its status yet. */
  readonly isZombie: boolean;
  readonly cpuMs: number;
  /** CPU time of exited children after the parent has read their status. */
  readonly endedChildrenMs: number;
}

export interface ProcessEntry extends ProcessStat {
  /** Name of a process by its command line, for example `keelson up` or `pod: operator master`. */
  readonly role: string;
}

/** All processes of the machine. Linux only: other systems report none. */
export function listProcesses(): readonly ProcessStat[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readStat(Number(name)) ?? []);
  } catch {
    return [];
  }
}

/** A process and its living descendants, the process first. Empty if it has exited. */
export function processTree(root: number): readonly ProcessEntry[] {
  const alive = listProcesses().filter(({ isZombie }) => !isZombie);
  const below = (pid: number): readonly ProcessStat[] =>
    alive.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...below(each.pid)]);
  const own = alive.find(({ pid }) => pid === root);
  if (own === undefined) return [];
  return [own, ...below(root)].map((each) => ({ ...each, role: processRole(commandLine(each.pid)) }));
}

/** Undefined if the process has exited. */
export function readStat(pid: number): ProcessStat | undefined {
  const text = readProcess(pid, "stat");
  if (text === "") return undefined;
  // The name in parentheses may contain spaces. State and parent follow it. User and system time are fields 14 and 15,
  // those of exited children 16 and 17.
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

/** A file of `/proc/PID`. Empty if the process has exited or belongs to a different user. */
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

/** Memory in MiB in which each shared page counts by its share (`Pss`). NaN if the process has exited. */
export function proportionalMib(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readProcess(pid, "smaps_rollup"))?.[1]) / 1_024;
}

/** NaN if the process has exited. */
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

/** Scripts of the program and the role that each has with the words that follow it. */
const scripts: Readonly<Record<string, string>> = {
  "main.ts": "keelson",
  "operator-container.ts": "pod:",
  "operator-host.ts": "operators",
};

/** Exported for tests. */
export function processRole(args: readonly string[]): string {
  const at = args.findIndex((arg) => Object.hasOwn(scripts, basename(arg)));
  if (at < 0) return basename(args[0] ?? "");
  const firstFlag = args.findIndex((arg, index) => index > at && arg.startsWith("-"));
  const words = args.slice(at + 1, firstFlag < 0 ? args.length : firstFlag);
  return [scripts[basename(args[at] ?? "")], ...words].join(" ");
}
