import type { ChildProcess, SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

/**
 * Paths of setpriv, with which the kernel kills a process when its parent dies, even by SIGKILL (util-linux,
 * Linux only).
 */
const setprivPaths = ["/usr/bin/setpriv", "/bin/setpriv"];

/** Starts a process that is killed when this one exits. Without `setpriv` it survives a killed parent. */
export function spawnBound(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // Loaded lazily, because it has half a megabyte and many processes start no others.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const setpriv = setprivPaths.find((path) => existsSync(path));
  return setpriv === undefined
    ? spawn(command, args, options)
    : spawn(setpriv, ["--pdeathsig", "KILL", "--", command, ...args], options);
}
