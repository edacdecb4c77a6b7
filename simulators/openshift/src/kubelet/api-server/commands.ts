import { readFile } from "node:fs/promises";
import type { CommandIo, ShellCommand } from "../containers/command.ts";
import { signalExitCode } from "../containers/program.ts";
import { configFault } from "./check-config.ts";

/**
 * Simulates the API server command of a static pod. The simulated process validates its configuration file but serves no
 * requests. If the file is invalid, the process exits, like the real API server.
 */
const hyperkube: ShellCommand = async (io) => {
  const [component = "", ...args] = io.args;
  if (component !== "kube-apiserver")
    throw new Error(`hyperkube: unknown component ${JSON.stringify(component)}`);
  const file = args
    .map((each) => /^--openshift-config=(.+)$/.exec(each)?.[1])
    .find((each) => each !== undefined);
  const fault = file === undefined ? "--openshift-config is required" : await configFault(file, read(io));
  if (fault !== undefined) {
    await io.stderr(`Error: ${fault}\n`);
    return 1;
  }
  await io.stderr("Serving securely on [::]:6443\n");
  return untilStopped(io);
};

/** Runs the command after `--` and waits until it terminates. */
const watchTermination: ShellCommand = async (io) => {
  const at = io.args.indexOf("--");
  const [command = "", ...args] = at < 0 ? [] : io.args.slice(at + 1);
  if (command === "hyperkube") return hyperkube({ ...io, args });
  return untilStopped(io);
};

export const apiServerCommands: Readonly<Record<string, ShellCommand>> = {
  hyperkube,
  "watch-termination": watchTermination,
};

function read({ files, directory }: CommandIo) {
  return async (path: string) => readFile(await files.resolve(files.absolute(path, directory)), "utf8");
}

/**
 * Reports that the process has started, and waits until it is stopped. Returns 0, or after SIGKILL the exit code of a killed
 * process.
 */
function untilStopped({ signal, started }: CommandIo): Promise<number> {
  started?.();
  const { promise, resolve } = Promise.withResolvers<number>();
  const end = () => resolve(signal.reason === "SIGKILL" ? signalExitCode(signal) : 0);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return promise;
}
