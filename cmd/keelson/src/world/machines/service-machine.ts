import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { MachineImage, MachineUnit } from "./machine-image.ts";
import { freePortFlags, hostPort } from "./machine-ports.ts";
import { UnitProcess } from "./unit-process.ts";

/** Maximum length of the log that `readLog` returns, in characters. Azure's run command limits its output to the same length. */
const mostRead = 4_096;

export interface ServiceMachineOptions {
  readonly image: MachineImage;
  /** Directory that simulates the machine's root directory. */
  readonly root: string;
  /** Path of the `main.ts` that runs instead of the image. */
  readonly script: string;
  /** URL of the machine's metadata service, and the file with the CA of this service. */
  readonly metadata: { readonly url: string; readonly caFile: string };
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs the units of one machine as processes. One-shot units run first and are retried until they succeed. The other units then
 * run and are restarted until the machine stops. All units listen on free ports, because all machines share the host's addresses.
 */
export class ServiceMachine {
  readonly #options: ServiceMachineOptions;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, UnitProcess>();
  #run: Promise<void> | undefined;

  constructor(options: ServiceMachineOptions) {
    this.#options = options;
  }

  /** Returns the local port that replaces a machine port. Undefined until a unit listens on it. */
  hostPort(port: number): number | undefined {
    for (const { name, args } of this.#options.image.units) {
      const found = hostPort(args, port, this.#running.get(name)?.output ?? "");
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the last lines of the units' logs. */
  readLog(): string {
    const { root, image } = this.#options;
    return image.units.map(({ name }) => endOf(join(root, `${name}.log`))).join("");
  }

  start(): void {
    this.#run ??= this.#runUnits().catch((error: unknown) => {
      if (!this.#stop.signal.aborted)
        this.#options.logger.error({ error: messageOf(error) }, "machine failed");
    });
  }

  /** Stops all units concurrently, each with a separate time limit. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const { units } = this.#options.image;
    await Promise.all(units.map(({ name, stopMs }) => this.#running.get(name)?.stop(stopMs)));
    await this.#run;
  }

  /** Kills all units, like a host failure. */
  async kill(): Promise<void> {
    this.#stop.abort();
    for (const unit of this.#running.values()) unit.kill();
    await this.#run;
    await rm(this.#options.root, { recursive: true, force: true });
  }

  async #runUnits(): Promise<void> {
    const { root, image } = this.#options;
    for (const { path, content } of image.files) await write(join(root, path), this.#here(content));
    await mkdir(join(root, "run", "keelson"), { recursive: true });
    for (const unit of image.units.filter(({ isOneShot }) => isOneShot)) {
      while ((await this.#once(unit)) !== 0) await this.#pause(unit.restartMs);
    }
    await Promise.all(
      image.units
        .filter(({ isOneShot }) => !isOneShot)
        .map(async (unit) => {
          for (;;) {
            await this.#once(unit);
            await this.#pause(unit.restartMs);
          }
        }),
    );
  }

  async #once({ name, args }: MachineUnit): Promise<number | null> {
    const { root, script, metadata, clock, logger } = this.#options;
    this.#stop.signal.throwIfAborted();
    const unit = await UnitProcess.start({
      name,
      script,
      args: [...args.map((each) => this.#here(each)), ...(freePortFlags(args) ?? [])],
      directory: root,
      environment: {
        ...process.env,
        AZURE_POD_IDENTITY_AUTHORITY_HOST: metadata.url,
        NODE_EXTRA_CA_CERTS: metadata.caFile,
      },
      clock,
    });
    this.#running.set(name, unit);
    // The machine may have been stopped while the process started.
    if (this.#stop.signal.aborted) unit.kill();
    const code = await unit.ended;
    this.#running.delete(name);
    logger.info({ unit: name, code, output: code === 0 ? undefined : unit.output }, "unit ended");
    return code;
  }

  /** Replaces the machine's paths in a string by local paths. */
  #here(text: string): string {
    return text.replaceAll(/(?<![\w/])\/(?:etc|run)\/keelson(?=\/|$)/g, (path) =>
      join(this.#options.root, path),
    );
  }

  async #pause(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.#stop.signal);
  }
}

/** Returns the end of a log file, or an empty string if the unit has not started. */
function endOf(log: string): string {
  try {
    return readFileSync(log, "utf8").slice(-mostRead);
  } catch {
    return "";
  }
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { mode: 0o600 });
}
