import type { ChildProcess, SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

/**
 * Paths of setpriv (util-linux, Linux only). With setpriv, the kernel kills a process when its parent dies, even if SIGKILL
 * terminated the parent.
 */
const setprivPaths = ["/usr/bin/setpriv", "/bin/setpriv"];

/**
 * Starts a child process that is killed when this process exits. Without `setpriv`, the child process survives if this process is
 * killed.
 */
export function spawnBound(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // Loaded lazily, because the module takes 0.5 MB and many processes start no child processes.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const setpriv = setprivPaths.find((path) => existsSync(path));
  return setpriv === undefined
    ? spawn(command, args, options)
    : spawn(setpriv, ["--pdeathsig", "KILL", "--", command, ...args], options);
}
