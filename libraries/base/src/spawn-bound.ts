import type { ChildProcess, SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

/** Lets the kernel kill a process when its parent dies, even by SIGKILL (util-linux, Linux only). */
const setprivPaths = ["/usr/bin/setpriv", "/bin/setpriv"];

/** Starts a process that ends with this one. Where `setpriv` is missing it outlives a parent that is killed. */
export function spawnBound(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // Not imported above: half a megabyte, which processes that start no others do without.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const setpriv = setprivPaths.find((path) => existsSync(path));
  return setpriv === undefined
    ? spawn(command, args, options)
    : spawn(setpriv, ["--pdeathsig", "KILL", "--", command, ...args], options);
}
