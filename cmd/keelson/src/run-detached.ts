import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { cliErrors } from "./cli-errors.ts";
import type { UpFlags } from "./commands/up.ts";

/**
 * Starts `up --no-cluster` as a process of its own that outlives this one. Gives its pid once it serves.
 * What it says goes to the log; what keeps it from starting is this process's error too.
 */
export async function runDetached(flags: UpFlags, log: string): Promise<number> {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const out = openSync(log, "a", 0o600);
  const script = process.argv[1] ?? "";
  const child = spawn(process.execPath, [...process.execArgv, script, ...argumentsOf(flags)], {
    detached: true,
    stdio: ["ignore", out, "pipe", "ipc"],
  });
  closeSync(out);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("message", () => resolve());
    child.once("exit", (code, signal) => {
      const why =
        said.match(/^keelson: (.*)$/m)?.[1] ?? `ended with ${signal ?? `exit code ${code}`}, see ${log}`;
      reject(cliErrors.NotRunning(why));
    });
  });
  child.disconnect();
  child.stderr?.destroy();
  child.unref();
  return child.pid ?? 0;
}

function argumentsOf(flags: UpFlags): string[] {
  const ports = (["rp", "azure", "clusters", "metrics", "admin"] as const).flatMap((name) => {
    const port = flags[`${name}Port`];
    return port === undefined ? [] : [`--${name}-port`, String(port)];
  });
  const subnetsFor = flags.cluster ? [flags.cluster, ...flags.subnetsFor] : flags.subnetsFor;
  return [
    "up",
    "--state",
    flags.state,
    "--no-cluster",
    ...subnetsFor.flatMap((name) => ["--subnets-for", name]),
    "--log-level",
    flags.logLevel,
    ...(flags.ports ? ["--ports", flags.ports] : []),
    ...ports,
  ];
}
