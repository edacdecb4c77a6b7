import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import type { Clock } from "@keelson/base";

const pollMs = 1;

/** Waits until SIGSTOP has stopped all threads of a process. Returns earlier if the process exits. */
export async function untilSuspended(pid: number, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!isSuspended(pid)) await clock.sleep(pollMs, signal);
}

function isSuspended(pid: number): boolean {
  try {
    return existsSync("/proc/self/task") ? isSuspendedOnLinux(pid) : isSuspendedByPs(pid);
  } catch {
    // The process has exited.
    return !isRunning(pid);
  }
}

/**
 * True if all threads of the process have stopped. A thread in a system call, for example in a write, stops only at the end of
 * the call.
 */
function isSuspendedOnLinux(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    // The command name before the state is in parentheses and may contain spaces.
    return "TtZX".includes(stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3));
  });
}

function isSuspendedByPs(pid: number): boolean {
  return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" })
    .trim()
    .startsWith("T");
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
