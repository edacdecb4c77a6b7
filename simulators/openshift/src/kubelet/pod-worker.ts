import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import { adopt, type ContainerRecord, type ContainerState, newRecord } from "./container-record.ts";
import {
  ContainerConfigError,
  containerEnvironment,
  expandReferences,
} from "./containers/container-environment.ts";
import { ContainerFiles } from "./containers/container-files.ts";
import { directoryName } from "./containers/directory-name.ts";
import { idle, type Program, refusal } from "./containers/program.ts";
import { ProcessProbes } from "./process-probes.ts";
import { admitOwner } from "./processes/admit-process.ts";
import {
  type HostProgram,
  type ImageBehaviour,
  type ImageRegistry,
  imageProcess,
} from "./processes/image-registry.ts";
import { ruledProgram } from "./processes/image-rule.ts";
import type { ImageRules } from "./processes/image-rules.ts";
import { startHostProgram } from "./processes/start-host-program.ts";
import { startProcess } from "./processes/start-process.ts";
import { scriptOf, type UnknownPrograms, unknownProgram } from "./processes/unknown-programs.ts";
import { publishedCommandsOf, publishedProgramOf } from "./published-programs/published-programs.ts";
import { releaseProgramOf } from "./release-programs.ts";
import {
  type ContainerRun,
  type Ending,
  isShell,
  programOf,
  runWords,
  simulatedRun,
} from "./runs/container-run.ts";
import { IdleRun } from "./runs/idle-run.ts";
import { isMirror } from "./static-pods.ts";
import { terminationMessage } from "./termination-message.ts";
import { FilledVolumes } from "./volumes/filled-volumes.ts";
import { mountsOf, requireSources } from "./volumes/pod-volumes.ts";
import type { VolumeDeps } from "./volumes/volume-deps.ts";

export interface PodWorkerDeps extends VolumeDeps {
  readonly images: ImageRegistry;
  /** Image rules that users configured. They override all other behavior except real processes. */
  readonly imageRules?: ImageRules | undefined;
  /** True if a server in a different pod on the same node serves the address and port. */
  readonly responds: (pod: KubeObject, host: string, port: number | string) => boolean;
  /**
   * Delay in milliseconds before the restart of a container that has failed twice. The delay doubles with each further failure,
   * up to five minutes. After the first failure, the container restarts immediately.
   */
  readonly crashBackoffMs: number;
  /** Called when a container terminates. The kubelet then writes the pod's status. */
  readonly changed: () => void;
}

const maxBackoffMs = 300_000;
/** Run time in milliseconds after which the restart back-off of a container is reset. */
const forgivenAfterMs = 600_000;
const defaultGraceSeconds = 30;

/**
 * Runs the containers of one pod. Each container is waiting, running or terminated. A waiting container waits for its creation,
 * its image or its restart. `advance` moves each container to its next state if possible.
 */
export class PodWorker {
  readonly containers: readonly ContainerRecord[];
  readonly startedAt: Date;
  readonly #deps: PodWorkerDeps;
  #pod: KubeObject;
  readonly #files = new Map<string, ContainerFiles>();
  readonly #volumes: FilledVolumes;
  #stopping = false;

  constructor(pod: KubeObject, deps: PodWorkerDeps) {
    this.#pod = pod;
    this.#deps = deps;
    this.#volumes = new FilledVolumes(deps);
    this.startedAt = new Date(stringAt(pod, "status", "startTime") ?? deps.context.clock.now());
    this.containers = [
      ...listAt(pod, "spec", "initContainers").map((spec) =>
        newRecord(spec, stringAt(spec, "restartPolicy") === "Always" ? "sidecar" : "init"),
      ),
      ...listAt(pod, "spec", "containers").map((spec) => newRecord(spec, "main")),
    ];
    for (const record of this.containers) adopt(record, pod);
  }

  get pod(): KubeObject {
    return this.#pod;
  }

  /** Replaces the pod. References to a previous version would keep its memory in use. */
  set pod(pod: KubeObject) {
    this.#pod = pod;
    const specs = [...listAt(pod, "spec", "initContainers"), ...listAt(pod, "spec", "containers")];
    for (const [index, record] of this.containers.entries()) record.spec = specs[index] ?? record.spec;
  }

  find(name: string): ContainerRecord | undefined {
    return this.containers.find((each) => each.name === name);
  }

  /**
   * Returns the file system of a container.
   * @throws ContainerConfigError if the name of a container or volume is not a valid directory name
   */
  async filesOf(record: ContainerRecord): Promise<ContainerFiles> {
    const known = this.#files.get(record.name);
    if (known) return known;
    const made = await this.#newFiles(record);
    const files = this.#files.get(record.name) ?? made;
    this.#files.set(record.name, files);
    return files;
  }

  async #newFiles(record: ContainerRecord): Promise<ContainerFiles> {
    const root = join(this.#deps.podDirectory, "containers", directoryName("container", record.name));
    const mounts = await mountsOf(this.pod, record.spec, this.#deps);
    return new ContainerFiles(root, mounts, () => this.#fill());
  }

  /**
   * Starts all containers that can start now. Returns the milliseconds until the next call is needed. `undefined` if only an
   * event can change the state.
   */
  async advance(pod: KubeObject): Promise<number | undefined> {
    this.pod = pod;
    if (this.#stopping) return undefined;
    const now = this.#now();
    let wait = await this.#volumes.sync(pod);
    const later = (ms: number) => {
      wait = Math.min(wait ?? Infinity, Math.max(1, ms));
    };
    for (const record of this.containers.filter(({ role }) => role !== "main")) {
      if (record.state.kind === "terminated" && record.state.ending.exitCode === 0 && record.role === "init")
        continue;
      if (record.state.kind === "running" && record.role === "sidecar") continue;
      if (record.state.kind === "running") return wait;
      if (!(await this.#start(record, now, later))) return wait;
      if (record.role === "init") return wait;
    }
    for (const record of this.containers.filter(({ role }) => role === "main")) {
      if (record.state.kind !== "running") await this.#start(record, now, later);
    }
    for (const record of this.containers) this.#probe(record, later);
    return wait;
  }

  /** Final phase of the pod. Undefined while a container is running or will be restarted. */
  get finished(): "Succeeded" | "Failed" | undefined {
    const mains = this.containers.filter(({ role }) => role === "main");
    const failedInit = this.containers.find(
      ({ role, state }) => role === "init" && state.kind === "terminated" && state.ending.exitCode !== 0,
    );
    if (failedInit && this.#policy === "Never") return "Failed";
    const endings = mains.flatMap(({ state }) => (state.kind === "terminated" ? [state.ending] : []));
    if (endings.length < mains.length || mains.length === 0) return undefined;
    const ok = endings.every(({ exitCode }) => exitCode === 0);
    if (this.#policy === "Always") return undefined;
    if (ok) return "Succeeded";
    return this.#policy === "Never" ? "Failed" : undefined;
  }

  /**
   * Stops all containers. Resolves after all running containers have terminated. A container that is being started is stopped by
   * `advance`, which resolves after this container has terminated.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await Promise.all(
      this.containers.map(async ({ state }) => {
        if (state.kind !== "running") return;
        state.run.stop(graceMs);
        await state.run.ended;
      }),
    );
  }

  /** Deletes the pod's files, if it has any. */
  async removeDirectory(): Promise<void> {
    if (this.#files.size > 0) await rm(this.#deps.podDirectory, { recursive: true, force: true });
  }

  get graceMs(): number {
    const seconds =
      this.pod.metadata.deletionGracePeriodSeconds ??
      numberAt(this.pod, "spec", "terminationGracePeriodSeconds") ??
      defaultGraceSeconds;
    return seconds * 1_000;
  }

  get #policy(): string {
    return stringAt(this.pod, "spec", "restartPolicy") ?? "Always";
  }

  /** Starts a container. Returns true if the container is running afterwards. After `stop`, returns false without a start. */
  async #start(record: ContainerRecord, now: number, later: (ms: number) => void): Promise<boolean> {
    if (this.#stopping) return false;
    const { state } = record;
    if (state.kind === "terminated") {
      const failed = state.ending.exitCode !== 0;
      const policy = record.role === "sidecar" ? "Always" : this.#policy;
      if (policy === "Never" || (!failed && (policy === "OnFailure" || record.role === "init"))) return false;
      if (this.finished) return false;
      this.#backOff(record, state);
    }
    if (record.notBefore > now) {
      later(record.notBefore - now);
      return false;
    }
    const behaviour = this.#deps.images.behaviourOf(record.image);
    if (!this.#pull(record, behaviour, now, later)) return false;
    try {
      if (record.restartCount === 0) await requireSources(this.pod, this.#deps.context);
      const run = await this.#run(record, behaviour);
      if (this.#stopping) {
        // `stop` was called while this run was being started, so `stop` could not stop it.
        run.stop(0);
        await run.ended;
        return false;
      }
      record.state = { kind: "running", run };
      record.probedReady = false;
      record.isStarting = run.started !== undefined && valueAt(record.spec, "readinessProbe") !== undefined;
      if (record.isStarting) void run.started?.then(() => this.#started(record, run));
      record.probes = run.hostPorts ? this.#probesOf(record, run) : undefined;
      void run.ended.then((ending) => this.#ended(record, run, ending));
      return true;
    } catch (error) {
      if (!(error instanceof ContainerConfigError)) throw error;
      const volume = error.message.startsWith("MountVolume");
      record.state = volume
        ? { kind: "waiting", reason: "ContainerCreating" }
        : { kind: "waiting", reason: "CreateContainerConfigError", message: error.message };
      record.notBefore = now + configRetryMs;
      later(configRetryMs);
      return false;
    }
  }

  #pull(
    record: ContainerRecord,
    behaviour: ImageBehaviour,
    now: number,
    later: (ms: number) => void,
  ): boolean {
    const { pullFailure } = behaviour;
    if (!pullFailure) {
      record.pullFailures = 0;
      return true;
    }
    record.pullFailures += 1;
    // The first failed pull of an image is reported with its cause. Later failed pulls are reported as back-off.
    const paused = record.pullFailures > 1 && pullFailure.reason === "ErrImagePull";
    const message = paused
      ? `Back-off pulling image "${record.image}": ${pullFailure.message}`
      : pullFailure.message;
    record.state = { kind: "waiting", reason: paused ? "ImagePullBackOff" : pullFailure.reason, message };
    const pause = record.pullFailures === 1 ? 100 : this.#pauseMs(record.pullFailures - 2);
    record.notBefore = now + pause;
    later(pause);
    return false;
  }

  /**
   * Moves a terminated container to waiting. After the first failure, the container restarts without delay. After later failures,
   * the delay grows exponentially.
   */
  #backOff(record: ContainerRecord, state: Extract<ContainerState, { kind: "terminated" }>): void {
    const finishedAt = state.finishedAt.getTime();
    if (finishedAt - state.run.startedAt.getTime() > forgivenAfterMs) record.crashes = 0;
    const pause = record.crashes === 0 ? 0 : this.#pauseMs(record.crashes - 1);
    record.crashes += 1;
    record.last = state;
    record.restartPending = true;
    record.notBefore = finishedAt + pause;
    const { name, namespace, uid } = this.pod.metadata;
    record.state = {
      kind: "waiting",
      reason: "CrashLoopBackOff",
      message: `back-off ${duration(pause)} restarting failed container=${record.name} pod=${name}_${namespace}(${uid})`,
    };
  }

  #pauseMs(times: number): number {
    return Math.min(maxBackoffMs, this.#deps.crashBackoffMs * 2 ** Math.min(times, 20));
  }

  async #run(record: ContainerRecord, behaviour: ImageBehaviour): Promise<ContainerRun> {
    const { context } = this.#deps;
    const { name } = this.pod.metadata;
    const isOnHost = valueAt(this.pod, "spec", "hostNetwork") === true;
    const hostname = isOnHost
      ? stringAt(this.pod, "spec", "nodeName")
      : stringAt(this.pod, "spec", "hostname");
    const base = {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: "/root",
      HOSTNAME: hostname ?? name,
    };
    const env = await containerEnvironment(context, this.pod, record.spec, base);
    const texts = (member: string) =>
      listAt(record.spec, member).flatMap((each) =>
        typeof each === "string" ? [expandReferences(each, env)] : [],
      );
    const command = texts("command");
    const args = texts("args");
    const words =
      command.length > 0 ? [...command, ...args] : args.length > 0 ? args : [...(behaviour.command ?? [])];
    const stdin = valueAt(record.spec, "stdin") === true;
    const mapped = isMirror(this.pod) ? undefined : behaviour.hostProgram;
    if (mapped && (await this.#admits(mapped, record))) {
      record.restartCount += record.restartPending ? 1 : 0;
      record.restartPending = false;
      await this.#fill();
      const files = await this.filesOf(record);
      return startHostProgram({
        ...this.#deps,
        pod: this.pod,
        record,
        program: mapped,
        command,
        args,
        env,
        files,
      });
    }
    // Static pods always run simulated programs. A real process would need a service account, which static pods do not have.
    // Shell commands run in the built-in shell.
    const isSimulated = isMirror(this.pod) || isShell(command[0] ?? "");
    const asked = isSimulated ? undefined : imageProcess(behaviour);
    const owner = asked && (await admitOwner(asked.owners, this.pod, record, context));
    const image = owner ? asked : undefined;
    // Some containers run a short-lived command of the release's operator binary. A shared process cannot run such a command, so
    // the simulation runs the command.
    const release =
      (image && !image.shared) || behaviour.program
        ? undefined
        : releaseProgramOf(words, { ...this.#deps, pod: () => this.pod });
    const checked =
      release === undefined && image && owner
        ? image.admit({ programs: owner.programs, program: command[0], args: [...command.slice(1), ...args] })
        : undefined;
    const admitted = checked && "args" in checked ? checked : undefined;
    const refused = checked && "refused" in checked ? refusal(checked.refused) : undefined;
    const rule = admitted ? undefined : this.#deps.imageRules?.find(record.image, this.#deps.cluster.name);
    const published = isMirror(this.pod)
      ? undefined
      : publishedProgramOf({ image: record.image, command, args }, { ...this.#deps, pod: this.pod });
    const simulated =
      refused ??
      (rule ? ruledProgram(rule) : undefined) ??
      behaviour.program ??
      release ??
      published ??
      programOf(words);
    const program =
      simulated === idle && !asked && record.role !== "sidecar" && !isMirror(this.pod)
        ? await this.#unknownProgram(record, command[0] ?? "", behaviour)
        : simulated === runWords && !isMirror(this.pod)
          ? scriptOf(this.#withCommands(simulated), record, this.pod, this.#modeOf(behaviour), context)
          : simulated;
    // After a restart of the simulation, an idle container continues its previous run.
    const isUnchanged = record.ranSince !== undefined && !admitted && program === idle;
    if (record.restartPending && !isUnchanged) record.restartCount += 1;
    record.restartPending = false;
    if (image && admitted) {
      await this.#fill();
      const files = await this.filesOf(record);
      return startProcess({
        ...this.#deps,
        pod: this.pod,
        record,
        image,
        args: admitted.args,
        options: admitted.options ?? [],
        env,
        stdin,
        files,
      });
    }
    const startedAt = (isUnchanged ? record.ranSince : undefined) ?? context.clock.now();
    if (program === idle && !stdin && (await this.#needsNoFiles(record)))
      return new IdleRun(startedAt, context.clock);
    const files = await this.filesOf(record);
    await files.prepare();
    return simulatedRun({
      words,
      program,
      startedAt,
      env: {
        ...env,
        ...(stringAt(record.spec, "workingDir") ? { PWD: stringAt(record.spec, "workingDir") ?? "/" } : {}),
      },
      files,
      clock: context.clock,
      stdin,
      tty: valueAt(record.spec, "tty") === true,
    });
  }

  /** Adds the published programs to the commands of a script. */
  #withCommands(script: Program): Program {
    return (io) => script({ ...io, commands: publishedCommandsOf({ ...this.#deps, pod: this.pod }) });
  }

  /**
   * True if the directories of a container need not exist before a client opens the container.
   * @throws ContainerConfigError like `filesOf`
   */
  async #needsNoFiles(record: ContainerRecord): Promise<boolean> {
    const { mounts } = this.#files.get(record.name) ?? (await this.#newFiles(record));
    return mounts.every(({ subPath }) => subPath === undefined);
  }

  #unknownProgram(record: ContainerRecord, program: string, behaviour: ImageBehaviour): Promise<Program> {
    const { name, role, image } = record;
    return unknownProgram(
      { name, role, image, program },
      this.pod,
      this.#modeOf(behaviour),
      this.#deps.context,
    );
  }

  #modeOf({ unknownPrograms }: ImageBehaviour): UnknownPrograms {
    return unknownPrograms ?? this.#deps.images.unknownPrograms;
  }

  async #admits({ owners = everyOwner }: HostProgram, record: ContainerRecord): Promise<boolean> {
    return (await admitOwner(owners, this.pod, record, this.#deps.context)) !== undefined;
  }

  async #fill(): Promise<void> {
    await this.#volumes.fill(this.pod);
    // Reports a change, so that the kubelet schedules the volume check. The filled volumes must be checked every minute.
    this.#deps.changed();
  }

  #started(record: ContainerRecord, run: ContainerRun): void {
    if (record.state.kind !== "running" || record.state.run !== run) return;
    record.isStarting = false;
    this.#deps.changed();
  }

  #ended(record: ContainerRecord, run: ContainerRun, ending: Ending): void {
    if (record.state.kind !== "running" || record.state.run !== run) return;
    const message = ending.message ?? terminationMessage(record.spec, run, ending);
    record.state = {
      kind: "terminated",
      run,
      ending: message === undefined ? ending : { ...ending, message },
      finishedAt: this.#deps.context.clock.now(),
    };
    record.probedReady = false;
    this.#deps.changed();
  }

  #probesOf(record: ContainerRecord, run: ContainerRun): ProcessProbes {
    const { clock, logger } = this.#deps.context;
    const { changed } = this.#deps;
    const unhealthy = (message: string) => {
      logger.info({ pod: this.pod.metadata.name, message }, "Unhealthy");
      run.stop(this.graceMs);
    };
    return new ProcessProbes({ spec: record.spec, run, clock, changed, unhealthy });
  }

  #probe(record: ContainerRecord, later: (ms: number) => void): void {
    if (record.state.kind !== "running") return;
    if (record.probes) {
      record.probedReady = record.probes.isReady;
      return;
    }
    const { probe } = this.#deps.images.behaviourOf(record.image);
    const period = (numberAt(record.spec, "readinessProbe", "periodSeconds") ?? 10) * 1_000;
    if (probe && valueAt(record.spec, "livenessProbe") !== undefined && !probe(this.pod, "liveness")) {
      record.state.run.stop(this.graceMs);
      return;
    }
    const readiness = valueAt(record.spec, "readinessProbe");
    const host = stringAt(readiness, "httpGet", "host");
    if (probe) {
      record.probedReady = readiness === undefined || probe(this.pod, "readiness");
      later(Math.min(period, probePeriodMs));
    } else if (host) {
      // A probe with a `host` is the probe of a guard pod. The readiness of a guard pod depends on a different pod on the same
      // node.
      const port = valueAt(readiness, "httpGet", "port");
      const known = typeof port === "number" || typeof port === "string" ? port : 0;
      record.probedReady = this.#deps.responds(this.pod, host, known);
      later(period);
    } else {
      // A container that exits during its startup never becomes ready. If a program does not report its startup, the container
      // becomes ready after a fixed time.
      const firstMs = readiness === undefined ? 0 : firstProbeMs;
      const leftMs = record.state.run.startedAt.getTime() + firstMs - this.#now();
      record.probedReady ||= leftMs <= 0 && !record.isStarting;
      if (leftMs > 0) later(leftMs);
    }
  }

  #now(): number {
    return this.#deps.context.clock.now().getTime();
  }
}

const everyOwner = [{ namespace: /^/, kind: /^/, name: /^/ }];
const configRetryMs = 500;
const probePeriodMs = 1_000;
const firstProbeMs = 250;
function duration(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
