import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { redactText, type Secret } from "@keelson/base";
import { infraIdOf, usesWorkloadIdentity } from "@keelson/model";
import { installStateOfGraph, parseAssetGraph } from "../install/asset-graph.ts";
import { isBootstrapComplete } from "../install/bootstrap-status.ts";
import { customManifests } from "../install/custom-manifests.ts";
import { installerErrors } from "../install/errors.ts";
import { installConfig } from "../install/install-config.ts";
import type { InstallContext, ProgressReport } from "../install/install-context.ts";
import { explainInstallFailure, failureReasonIn } from "../install/install-failure.ts";
import type { Installer, InstallState } from "../install/installer.ts";
import { installerDocuments } from "../install/installer-documents.ts";
import { installerYaml } from "../install/installer-yaml.ts";
import { ProgressLimit } from "../install/progress-limit.ts";
import { clusterPullSecret } from "../install/pull-secret.ts";
import { hasCompleted, hasInfrastructure, InstallProgress } from "./install-progress.ts";
import {
  attachProcess,
  endGroup,
  type InstallerProcess,
  type ProcessEnd,
  startProcess,
  waitForEnd,
} from "./installer-process.ts";
import { OutputReader, tailOf } from "./output-reader.ts";
import { type InstallStage, staleFolders, WorkingFolder } from "./working-folder.ts";

export interface OpenShiftInstallOptions {
  /** The program with the arguments that come before its own: `["openshift-install"]`. */
  readonly command: readonly string[];
  /** Holds a folder for each install under way. It must outlive this process: on a disk, not in memory. */
  readonly workingFolder: string;
  /** Credentials for the registries of OpenShift's images, in Docker's form; those of the service. */
  readonly pullSecret?: Secret;
  /** The installer's principal in Azure for clusters with managed identities, as `osServicePrincipal.json`. */
  readonly serviceCredentials?: Secret;
  /** Further variables of its environment, for example `HTTPS_PROXY`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Limit in ms for one run of the program, extended threefold while it writes output. Default: 60 minutes. */
  readonly timeoutMs?: number;
}

const hourMs = 3_600_000;
const pollEveryMs = 1_000;
const graceMs = 10_000;

/**
 * Installs clusters by `openshift-install`, a process for each. Its files stay on this machine until the install is
 * over, so that after a crash a process on the same machine continues: with the installer that still runs, or by
 * waiting for what that has begun.
 */
export function openshiftInstaller(options: OpenShiftInstallOptions): Installer {
  const open = (context: InstallContext) => new Install(options, context);
  return {
    generate: (context) => open(context).generate(),
    createMachines: (context) => open(context).createCluster(),
    bootstrapComplete: isBootstrapComplete,
    finish: async (context) => open(context).folder.remove(),
    forget: (context) => open(context).abandon(),
  };
}

class Install {
  readonly folder: WorkingFolder;
  readonly #options: OpenShiftInstallOptions;
  readonly #context: InstallContext;
  readonly #infraId: string | undefined;

  constructor(options: OpenShiftInstallOptions, context: InstallContext) {
    this.#options = options;
    this.#context = context;
    this.#infraId = context.cluster.properties.infraId;
    this.folder = new WorkingFolder(options.workingFolder, context.documentId);
  }

  /** Nothing of it reaches Azure, so an interrupted run starts over. */
  async generate(): Promise<InstallState> {
    const before = this.folder.record();
    if (before && before.stage !== "generating" && before.infraId === infraIdOf(this.#context.cluster)) {
      return this.#readState();
    }
    await this.#endLeftOver();
    this.#removeStale();
    this.folder.create();
    this.#record("generating");
    try {
      await this.#writeInput();
      await this.#run("create", "install-config");
      this.#fixClusterId();
      await this.#run("create", "manifests");
      await this.#addManifests();
      await this.#run("create", "ignition-configs");
      const state = this.#readState();
      this.#record("generated");
      return state;
    } catch (error) {
      this.#giveUp(tailOf(this.folder.outputFile));
      throw error;
    }
  }

  /** Resolves when the control plane runs without its bootstrap machine. */
  async createCluster(): Promise<void> {
    const record = this.folder.record();
    switch (record?.stage) {
      case "created":
        return;
      case "generated":
        return this.#create("create", "cluster");
      case "creating":
        return this.#goOn(record.process ? attachProcess(record.process) : undefined);
      default:
        throw installerErrors.InstallationElsewhere(
          `what openshift-install generated for the cluster is not in ${this.folder.path}: an install goes on only on the machine where it began, and not after it failed; delete the cluster and create it again`,
        );
    }
  }

  /** Ends the installer and removes its folder. */
  async abandon(): Promise<void> {
    await this.#endLeftOver();
    this.folder.remove();
  }

  async #goOn(process: InstallerProcess | undefined): Promise<void> {
    if (process && process.end() === undefined) return this.#follow(process);
    const output = tailOf(this.folder.outputFile);
    if (hasCompleted(output)) return this.#record("created");
    if (hasInfrastructure(output)) return this.#create("wait-for", "bootstrap-complete");
    const error = installerErrors.InstallationInterrupted(
      "openshift-install ended with this service's process before all infrastructure was made: delete the cluster and create it again",
    );
    this.#giveUp(output);
    throw error;
  }

  async #create(...args: readonly string[]): Promise<void> {
    // Recorded before anything can be in Azure: it is never started twice.
    this.#record("creating");
    await this.#follow(await this.#start("creating", args));
  }

  async #follow(process: InstallerProcess): Promise<void> {
    try {
      await this.#wait(process, (progress) => this.#context.report(progress));
    } catch (error) {
      // A failed install cannot be continued; one that this service has ended may be.
      if (!this.#context.signal.aborted) this.#giveUp(tailOf(this.folder.outputFile));
      throw error;
    }
    this.#record("created");
  }

  async #run(...args: readonly string[]): Promise<void> {
    await this.#wait(await this.#start("generating", args), () => {});
  }

  async #start(stage: InstallStage, args: readonly string[]): Promise<InstallerProcess> {
    const { assets, outputFile } = this.folder;
    const process = await startProcess({
      command: [...this.#options.command, ...args, "--dir", assets, "--log-level", "info"],
      folder: assets,
      environment: await this.#environment(),
      outputFile,
    });
    this.#record(stage, process);
    return process;
  }

  /** @throws InstallerFailed, CloudError of what Azure refused */
  async #wait(process: InstallerProcess, onProgress: (progress: ProgressReport) => void) {
    const { signal, clock, logger } = this.#context;
    const limitMs = this.#options.timeoutMs ?? hourMs;
    const limit = new ProgressLimit(clock, limitMs);
    const over = new AbortController();
    const output = new OutputReader(this.folder.outputFile);
    const progress = new InstallProgress();
    const onPoll = () => {
      const lines = output.read();
      limit.observe(output.offset);
      if (limit.isOver) over.abort();
      const reached = progress.add(lines);
      if (!reached) return;
      logger.info({ activity: reached.activity }, "openshift-install goes on");
      onProgress(reached);
    };
    const waiting = {
      clock,
      signal: AbortSignal.any([signal, over.signal]),
      everyMs: pollEveryMs,
      graceMs,
      onPoll,
    };
    const end = await waitForEnd(process, waiting).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw installerErrors.InstallerFailed(
        `openshift-install neither ended nor wrote output within ${limitMs} ms`,
      );
    });
    const tail = tailOf(this.folder.outputFile);
    const hasSucceeded = end.kind === "unknown" ? hasCompleted(tail) : isSuccess(end);
    if (!hasSucceeded) throw failureOf(end, tail);
  }

  /** Logs the end of the output and removes the folder. */
  #giveUp(output: string): void {
    const lines = redactText(output).trimEnd().split("\n").slice(-loggedLines);
    this.#context.logger.error({ output: lines }, "openshift-install failed");
    this.folder.remove();
  }

  #removeStale(): void {
    for (const folder of staleFolders(this.#options.workingFolder, this.#context.clock.now())) {
      const mark = folder.record()?.process;
      if (!mark || attachProcess(mark).end()) folder.remove();
    }
  }

  async #endLeftOver(): Promise<void> {
    const mark = this.folder.record()?.process;
    if (!mark) return;
    const process = attachProcess(mark);
    if (process.end() !== undefined) return;
    const { clock } = this.#context;
    await endGroup(process, { clock, everyMs: pollEveryMs, graceMs, onPoll: () => {} });
  }

  async #writeInput(): Promise<void> {
    const context = this.#context;
    const pullSecret = clusterPullSecret(context.cluster, this.#options.pullSecret);
    const config = installConfig(context, { release: await context.release(), pullSecret });
    this.folder.writeFile("assets/install-config.yaml", installerYaml(config));
    for (const [name, text] of Object.entries(installerDocuments(context)))
      this.folder.writeFile(`azure/${name}`, text.reveal());
    const { serviceCredentials } = this.#options;
    if (usesWorkloadIdentity(context.cluster) && serviceCredentials)
      this.folder.writeFile(servicePrincipalFile, serviceCredentials.reveal());
    const { caPem } = context.azureEnvironment;
    if (caPem) this.folder.writeFile(authorityFile, caPem);
  }

  /**
   * Makes the installer use the infrastructure ID that the load balancers already have. Without its configuration file
   * it reads its state alone.
   */
  #fixClusterId(): void {
    const { graphFile, assets } = this.folder;
    const graph = parseAssetGraph(readFileSync(graphFile, "utf8"), graphFile);
    const id = { UUID: randomUUID(), InfraID: infraIdOf(this.#context.cluster) };
    writeFileSync(graphFile, JSON.stringify({ ...graph, "*installconfig.ClusterID": id }));
    rmSync(join(assets, "install-config.yaml"), { force: true });
  }

  async #addManifests(): Promise<void> {
    const manifests = await customManifests(this.#context);
    for (const [name, manifest] of Object.entries(manifests))
      this.folder.writeFile(`assets/manifests/${name}`, installerYaml(manifest));
    const key = this.#context.cluster.properties.clusterProfile.boundServiceAccountSigningKey;
    if (key) this.folder.writeFile("assets/tls/bound-service-account-signing-key.key", key.reveal());
  }

  #readState(): InstallState {
    const { graphFile } = this.folder;
    const graph = parseAssetGraph(readFileSync(graphFile, "utf8"), graphFile);
    const infraId = infraIdOf(this.#context.cluster);
    return installStateOfGraph(graph, { infraId, domain: this.#context.domain }, graphFile);
  }

  /** None of the service's own environment, which may hold secrets. */
  async #environment(): Promise<Record<string, string>> {
    const { folder } = this;
    const { openShiftPullspec } = await this.#context.release();
    return {
      HOME: folder.path,
      TMPDIR: folder.temporary,
      AZURE_AUTH_LOCATION: join(folder.path, servicePrincipalFile),
      ARO_UUID: this.#context.documentId,
      OPENSHIFT_INSTALL_INVOKER: "hive",
      OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: openShiftPullspec,
      ...(this.#context.azureEnvironment.caPem ? { SSL_CERT_FILE: join(folder.path, authorityFile) } : {}),
      ...this.#options.environment,
    };
  }

  #record(stage: InstallStage, process?: InstallerProcess): void {
    const infraId = this.#infraId ?? "";
    this.folder.write({ infraId, stage, ...(process ? { process: process.mark } : {}) });
  }
}

const servicePrincipalFile = "azure/osServicePrincipal.json";
const authorityFile = "ca.pem";
const loggedLines = 200;

function isSuccess(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code === 0;
}

/** The customer's error, with the installer's last errors as its cause. */
function failureOf(end: ProcessEnd, output: string): Error {
  const how =
    end.kind === "exited" ? `with code ${end.code}` : end.kind === "killed" ? `by ${end.by}` : "early";
  const said = output
    .split("\n")
    .filter((line) => /level=(?:error|fatal)/.test(line))
    .slice(-3)
    .join("; ");
  const cause = installerErrors.InstallerFailed(`openshift-install ended ${how}: ${redactText(said)}`);
  return explainInstallFailure(failureReasonIn(output), output, { cause });
}
