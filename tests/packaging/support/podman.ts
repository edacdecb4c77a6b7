import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Program } from "../../e2e/support/program.ts";

const run = promisify(execFile);

/** Default resource limits of containers. Some machines do not allow higher limits. */
const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"];

/** Runs the image with podman in the same way as the service's machines. */
export class Podman {
  readonly #flags: readonly string[];

  private constructor(flags: readonly string[]) {
    this.#flags = flags;
  }

  /** Selects the first container runtime that works on this machine. */
  static async find(
    storage: readonly string[],
    imageName: string,
  ): Promise<Podman | { readonly missing: string }> {
    let why = "";
    for (const runtime of ["crun", "runc"]) {
      const flags = [...storage, "--cgroup-manager", "cgroupfs", "--runtime", runtime];
      const args = [...flags, "run", "--rm", ...limits, "--network", "host", imageName, "version"];
      try {
        await run("podman", args, { timeout: 900_000 });
        return new Podman(flags);
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
    }
    return { missing: `podman runs no containers here: ${why.split("\n").slice(-2).join(" ").trim()}` };
  }

  /** Starts the command line of a systemd unit: `/usr/bin/podman run OPTIONS IMAGE ARGUMENTS`. */
  start(command: string): Program {
    const [, verb = "", ...rest] = command.split(/\s+/);
    return Program.startCommand("podman", ...this.#flags, verb, ...limits, ...rest);
  }

  async stop(name: string): Promise<void> {
    await run("podman", [...this.#flags, "stop", "--ignore", "--time", "60", name]);
  }
}
