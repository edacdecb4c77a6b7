import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { littleMemory } from "@keelson/aro-api";
import { spawnBound } from "@keelson/base";

const program = new URL("../../keelson", import.meta.url).pathname;
const memoryOptions = Object.fromEntries(littleMemory.map(({ name, value }) => [name, value]));

/**
 * Starts the ARO operator's master role as a separate process with the memory options of its Deployment. The process logs to
 * standard error.
 */
export function startMaster(
  kubeconfig: string,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  return startOperator(["operator", "master", "--kubeconfig", kubeconfig], environment);
}

/** Starts an operator command as a separate process, like `startMaster`. */
export function startOperator(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const ports = ["--host", "127.0.0.1", "--health-port", "0", "--metrics-port", "0"];
  const args = [...command, ...ports];
  return spawnBound(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...memoryOptions, ...environment },
  });
}

export function residentMegabytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}
