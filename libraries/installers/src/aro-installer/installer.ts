import { realpathSync } from "node:fs";
import { redactText, type Secret, systemPath } from "@keelson/base";
import { infraIdOf } from "@keelson/model";
import { installStateOfGraph, parseAssetGraph } from "../install/asset-graph.ts";
import { isBootstrapComplete } from "../install/bootstrap-status.ts";
import type { DevelopmentProxyFiles } from "../install/development-proxy.ts";
import { installerErrors } from "../install/errors.ts";
import type { InstallContext, ProgressReport } from "../install/install-context.ts";
import { explainInstallFailure, failureReasonIn } from "../install/install-failure.ts";
import type { Installer, InstallState } from "../install/installer.ts";
import { ProgressLimit } from "../install/progress-limit.ts";
import { clusterPullSecret } from "../install/pull-secret.ts";
import { mirroredPullspec } from "../install/release-image.ts";
import { InstallDirectory, type InstallerTarget, staleDirectories } from "./install-directory.ts";
import { InstallProgress } from "./install-progress.ts";
import { caFile, installerFiles } from "./installer-files.ts";
import {
  attachProcess,
  endGroup,
  type InstallerProcess,
  type ProcessEnd,
  startProcess,
  waitForEnd,
} from "./installer-process.ts";
import { inInstallerRoot } from "./installer-root.ts";
import { OutputReader, tailOf } from "./output-reader.ts";

export interface AroInstallerOptions {
  /** Path of the program, with the arguments that precede its subcommand. Example: `["/usr/local/bin/openshift-install"]`. */
  readonly command: readonly string[];
  /**
   * Directory with one subdirectory for each running installation. Its content must survive a restart, so it must be on a disk
   * and not in memory.
   */
  readonly workDirectory: string;
  /** Service credentials for the registries of OpenShift images, in Docker's format. */
  readonly pullSecret?: Secret;
  /** Environment variables that the installer receives with the prefix `ARO_`. The names here omit this prefix. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Environment variables of the process that do not begin with `ARO_`, for example `HTTPS_PROXY`. */
  readonly processEnvironment?: Readonly<Record<string, string>>;
  /** Files that the installer requires in its development mode (`RP_MODE`). */
  readonly developmentProxy?: DevelopmentProxyFiles;
  /** Registry with the service's mirror of quay.io images. */
  readonly registry?: string | undefined;
  /** Returns the installer's graph. Undefined until the graph is stored. */
  readonly readGraph: (context: InstallContext) => Promise<string | undefined>;
  /**
   * Maximum time in ms for which one run of the program may print no output. The total time limit of a run is three times this
   * value. Default: 60 minutes.
   */
  readonly timeoutMs?: number;
  /**
   * Wraps a command so that it finds the private directories at the root of its file system. Default: `inInstallerRoot`. Only
   * tests set this option.
   */
  readonly isolate?: typeof inInstallerRoot;
}

const hourMs = 3_600_000;
const pollEveryMs = 1_000;
const graceMs = 10_000;

/**
 * Returns an installer that runs ARO's installer in one process for each cluster. ARO's installer stores its state, the graph, in
 * Azure. Any process of the service can therefore resume an installation. A process on the same machine reattaches to a running
 * installer.
 */
export function aroInstaller(options: AroInstallerOptions): Installer {
  const open = (context: InstallContext) => new Install(options, context);
  return {
    generate: (context) => open(context).generate(),
    createMachines: (context) => open(context).create("cluster"),
    bootstrapComplete: isBootstrapComplete,
    finish: async (context) => open(context).directory.remove(),
    forget: (context) => open(context).abandon(),
  };
}

class Install {
  readonly directory: InstallDirectory;
  readonly #options: AroInstallerOptions;
  readonly #context: InstallContext;

  constructor(options: AroInstallerOptions, context: InstallContext) {
    this.#options = options;
    this.#context = context;
    this.directory = new InstallDirectory(options.workDirectory, context.documentId);
  }

  /**
   * Returns the state from the stored graph. Runs the installer only if no graph is stored, because the installer never
   * overwrites a stored graph.
   */
  async generate(): Promise<InstallState> {
    const stored = await this.#findState();
    if (stored) return stored;
    await this.create("manifests");
    const state = await this.#findState();
    if (state) return state;
    throw installerErrors.InvalidAssetGraph("ARO's installer exited without an error and stored no graph");
  }

  /**
   * Runs `create TARGET` to completion. Each target can be repeated. A repetition uses the same graph and the same names in
   * Azure.
   */
  async create(target: InstallerTarget): Promise<void> {
    try {
      const running = await this.#findRunning(target);
      if (running) {
        await this.#wait(running);
        // If a previous process of the service started the installer, its exit code is unknown. The state of the target is
        // therefore checked instead.
        if (await this.#isDone(target)) return;
      }
      const end = await this.#wait(await this.#start(target));
      if (!isSuccess(end)) throw failureOf(end, tailOf(this.directory.logFile));
    } catch (error) {
      // After an interruption, the next process of the service continues the install.
      if (!this.#context.signal.aborted) this.#giveUp();
      throw error;
    }
  }

  /** Stops the installer and removes its directory. */
  async abandon(): Promise<void> {
    await this.#endRunning();
    this.directory.remove();
  }

  /** True if the target is complete. A cluster that does not respond counts as incomplete. */
  async #isDone(target: InstallerTarget): Promise<boolean> {
    const context = this.#context;
    if (target === "manifests") return (await this.#options.readGraph(context)) !== undefined;
    return await isBootstrapComplete(context).catch(() => false);
  }

  async #findState(): Promise<InstallState | undefined> {
    const context = this.#context;
    const text = await this.#options.readGraph(context);
    if (text === undefined) return undefined;
    const source = "the graph of ARO's installer";
    const address = { infraId: infraIdOf(context.cluster), domain: context.domain };
    return installStateOfGraph(parseAssetGraph(text, source), address, source);
  }

  /** Returns the running installer if it has this target. Stops the installer if it has a different target. */
  async #findRunning(target: InstallerTarget): Promise<InstallerProcess | undefined> {
    const record = this.directory.record();
    if (record?.target !== target) {
      await this.#endRunning();
      return undefined;
    }
    const process = attachProcess(record.process);
    return process.end() === undefined ? process : undefined;
  }

  async #endRunning(): Promise<void> {
    const record = this.directory.record();
    if (!record) return;
    const process = attachProcess(record.process);
    if (process.end() !== undefined) return;
    const { clock } = this.#context;
    await endGroup(process, { clock, everyMs: pollEveryMs, graceMs, onPoll: () => {} });
  }

  async #start(target: InstallerTarget): Promise<InstallerProcess> {
    const { directory } = this;
    const { command, developmentProxy, workDirectory, isolate = inInstallerRoot } = this.#options;
    this.#removeStale();
    const environment = await this.#environment();
    const files = await installerFiles(this.#context, developmentProxy);
    directory.create();
    for (const [path, content] of Object.entries(files)) directory.writeFile(path, content);
    const args = [...command, "create", target, "--log-level", "info"];
    const process = await startProcess({
      command: await isolate(directory, realpathSync(workDirectory), args),
      directory: directory.workDirectory,
      environment,
      outputFile: directory.logFile,
    });
    directory.write({ target, process: process.mark });
    return process;
  }

  /**
   * Returns the environment variables of the installer. The service's own variables are excluded, because they may contain
   * secrets.
   */
  async #environment(): Promise<Record<string, string>> {
    const { cluster, documentId, azureEnvironment, release } = this.#context;
    const { pullSecret, environment = {}, processEnvironment = {}, registry } = this.#options;
    const { openShiftPullspec } = await release();
    return {
      PATH: systemPath,
      HOME: "/output",
      ARO_UUID: documentId,
      ARO_PULL_SECRET: clusterPullSecret(cluster, pullSecret).reveal(),
      OPENSHIFT_INSTALL_INVOKER: "hive",
      OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: mirroredPullspec(openShiftPullspec, registry),
      ...(azureEnvironment.caPem ? { SSL_CERT_FILE: caFile } : {}),
      ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [`ARO_${name}`, value])),
      ...processEnvironment,
    };
  }

  /**
   * Waits until the installer exits.
   * @throws InstallerFailed if the installer makes no progress. After an abort, throws the signal's reason once all processes
   * have exited.
   */
  async #wait(process: InstallerProcess): Promise<ProcessEnd> {
    const { signal, clock } = this.#context;
    const limitMs = this.#options.timeoutMs ?? hourMs;
    const limit = new ProgressLimit(clock, limitMs);
    const over = new AbortController();
    const output = new OutputReader(this.directory.logFile);
    const progress = new InstallProgress();
    const onPoll = () => {
      const lines = output.read();
      limit.observe(output.offset);
      if (limit.isOver) over.abort();
      const reached = progress.add(lines);
      if (reached) this.#report(reached);
    };
    const waiting = {
      clock,
      signal: AbortSignal.any([signal, over.signal]),
      everyMs: pollEveryMs,
      graceMs,
      onPoll,
    };
    return await waitForEnd(process, waiting).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw installerErrors.InstallerFailed(
        `ARO's installer neither exited nor wrote output within ${limitMs} ms`,
      );
    });
  }

  #report(reached: ProgressReport): void {
    const { logger, report } = this.#context;
    logger.info({ activity: reached.activity }, "ARO's installer makes progress");
    report(reached);
  }

  /** Logs the end of the installer's output and removes the installation's directory. */
  #giveUp(): void {
    const lines = redactText(tailOf(this.directory.logFile)).trimEnd().split("\n").slice(-loggedLines);
    const output = lines.map((line) => (/password/i.test(line) ? "[REDACTED]" : line));
    this.#context.logger.error({ output }, "ARO's installer failed");
    this.directory.remove();
  }

  #removeStale(): void {
    for (const stale of staleDirectories(this.#options.workDirectory, this.#context.clock.now())) {
      const mark = stale.record()?.process;
      if (!mark || attachProcess(mark).end()) stale.remove();
    }
  }
}

const loggedLines = 200;

function isSuccess(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code === 0;
}

/** Returns the customer's error. The `cause` contains the installer's last errors. */
function failureOf(end: ProcessEnd, output: string): Error {
  const how =
    end.kind === "exited" ? `with code ${end.code}` : end.kind === "killed" ? `by ${end.by}` : "early";
  const errors = output
    .split("\n")
    .filter((line) => /level=(?:error|fatal)/.test(line))
    .slice(-3)
    .join("; ");
  const cause = installerErrors.InstallerFailed(`ARO's installer exited ${how}: ${redactText(errors)}`);
  const reason = failureReasonIn(output);
  return explainInstallFailure(reason, output, {
    cause,
    otherwise: { code: "UnknownError", message: output },
  });
}
