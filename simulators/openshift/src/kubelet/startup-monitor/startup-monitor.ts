import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import {
  isPlainObject,
  listAt,
  messageOf,
  numberAt,
  objectAt,
  onTimeDeadline,
  parseGoDuration,
  stringAt,
} from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { parse } from "yaml";
import { resources } from "../../base/resources.ts";
import { NodeDisk } from "../../static-pod-installer/node-disk.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { type Program, type ProgramIo, signalExitCode } from "../containers/program.ts";

const namespace = "openshift-kube-apiserver";
const target = "kube-apiserver";
const probeMs = 1_000;
const annotation = (name: string) => `startup-monitor.static-pods.openshift.io/${name}`;

/** State of the static pod that the monitor watches. */
type State = "ready" | { readonly reason: string; readonly message: string };

/**
 * Returns the program that monitors the start of a new API server revision. A ready revision becomes the last known good
 * revision. After the timeout, the program makes the kubelet start the last known good revision again. The program accesses the
 * API with the kubelet's permissions.
 * @see openshift/library-go pkg/operator/staticpod/startupmonitor
 */
export function startupMonitorOf({
  context,
  pod,
}: {
  readonly context: WorkloadContext;
  readonly pod: () => KubeObject;
}): Program {
  return async (io) => {
    // Annotations do not prove that a pod is a static pod, so the namespace is checked.
    if (pod().metadata.namespace !== namespace) throw new Error(`startup monitors run in ${namespace} only`);
    return new StartupMonitor(io, context).run();
  };
}

class StartupMonitor {
  readonly #io: ProgramIo;
  readonly #context: WorkloadContext;
  readonly #disk: NodeDisk;
  readonly #revision: number;
  readonly #node: string;
  readonly #timeoutMs: number;
  readonly #manifestsDir: string;
  readonly #resourceDir: string;

  constructor(io: ProgramIo, context: WorkloadContext) {
    const flags = readFlags(io.args.slice(2));
    this.#io = io;
    this.#context = context;
    this.#disk = new NodeDisk(io.files);
    this.#revision = Number(flags("revision"));
    this.#node = flags("node-name");
    const timeout = parseGoDuration(flags("fallback-timeout-duration"));
    if (timeout.kind === "problem") throw new Error(`--fallback-timeout-duration: ${timeout.message}`);
    this.#timeoutMs = timeout.ms;
    this.#manifestsDir = flags("manifests-dir");
    this.#resourceDir = flags("resource-dir");
    if (flags("target-name") !== target) throw new Error(`--target-name must be ${target}`);
    if (!Number.isInteger(this.#revision)) throw new Error("--revision must be a number");
  }

  async run(): Promise<number> {
    const { clock, signal, stderr } = this.#io;
    const isLate = onTimeDeadline(clock, this.#timeoutMs, Number.POSITIVE_INFINITY);
    while (!signal.aborted) {
      try {
        const outcome = await this.#probe(isLate());
        if (outcome) {
          await stderr(`revision ${this.#revision}: ${outcome}\n`);
          await this.#removeOwnManifest();
          return 0;
        }
      } catch (error) {
        await stderr(`${messageOf(error)}\n`);
      }
      await clock.sleep(probeMs, signal).catch(() => undefined);
    }
    return signalExitCode(signal);
  }

  /**
   * Probes the static pod once. Returns the result with which the monitor ends, for example `good` or `superseded`. Returns
   * `undefined` if the monitor must probe again.
   */
  async #probe(isLate: boolean): Promise<string | undefined> {
    const manifest = await this.#read(this.#manifest);
    if (stringAt(manifest, "metadata", "labels", "revision") !== `${this.#revision}`) return "superseded";
    const state = this.#state();
    if (state === "ready") {
      await this.#markGood(this.#revision);
      await this.#report();
      return "good";
    }
    await this.#io.stderr(`revision ${this.#revision} is not ready: ${state.reason}: ${state.message}\n`);
    if (!isLate) return undefined;
    return (await this.#fallBack(state)) ? "fell back" : "nothing to fall back to";
  }

  #state(): State {
    const name = `${target}-${this.#node}`;
    const pod = this.#context.informer(resources.pods).get({ namespace, name });
    if (!pod)
      return {
        reason: "PodNotRunning",
        message: `waiting for ${target} static pod for node ${this.#node} to show up`,
      };
    const found = pod.metadata.labels?.revision ?? "";
    if (found !== `${this.#revision}`)
      return {
        reason: "UnexpectedRevision",
        message: `waiting for ${target} static pod ${name} of revision ${this.#revision}, found ${found}`,
      };
    if (conditionStatus(pod, "Ready") === "True") return "ready";
    return { reason: "PodNodReady", message: `the ${target} static pod ${name} is not ready` };
  }

  /**
   * Removes this monitor's manifest, unless the monitor of a newer revision has replaced the file. The kubelet may restart the
   * old monitor after this replacement, and the old monitor must not remove the newer manifest.
   */
  async #removeOwnManifest(): Promise<void> {
    const path = `${this.#manifestsDir}/${target}-startup-monitor-pod.yaml`;
    const manifest = await this.#read(path);
    if (stringAt(manifest, "metadata", "labels", "revision") === `${this.#revision}`)
      await this.#disk.remove(path);
  }

  async #markGood(revision: number): Promise<void> {
    await this.#disk.link(this.#lastKnownGood, `${target}-pod-${revision}/${target}-pod.yaml`);
  }

  /**
   * Records the node's revision in the operator's status. Does nothing if the operator has meanwhile set a different target
   * revision.
   */
  async #report(): Promise<void> {
    const { client } = this.#context;
    const operator = await client.get(resources.kubeApiServers, { name: "cluster" });
    const nodes = listAt(operator, "status", "nodeStatuses");
    const at = nodes.findIndex((each) => stringAt(each, "nodeName") === this.#node);
    if (numberAt(nodes[at], "targetRevision") !== this.#revision) return;
    const nodeStatuses = nodes.with(at, {
      ...objectAt(nodes[at]),
      currentRevision: this.#revision,
      targetRevision: 0,
    });
    const status = { ...objectAt(operator, "status"), nodeStatuses };
    await client.updateStatus(resources.kubeApiServers, { ...operator, status });
  }

  async #fallBack({ reason, message }: Exclude<State, "ready">): Promise<boolean> {
    if ((await this.#read(this.#lastKnownGood)) === undefined) {
      const older = await this.#highestBefore(this.#revision);
      if (older === undefined) return false;
      await this.#markGood(older);
    }
    const good = (await this.#read(this.#lastKnownGood)) ?? {};
    const metadata = objectAt(good, "metadata");
    const annotations = {
      ...objectAt(metadata, "annotations"),
      [annotation("fallback-for-revision")]: `${this.#revision}`,
      [annotation("fallback-reason")]: reason,
      [annotation("fallback-message")]: message,
    };
    const content = JSON.stringify({ ...good, metadata: { ...metadata, annotations, uid: randomUUID() } });
    await this.#disk.write(this.#manifest, { content: `${content}\n`, mode: 0o600 });
    return true;
  }

  async #highestBefore(revision: number): Promise<number | undefined> {
    const prefix = `${target}-pod-`;
    const revisions = (await this.#disk.directories(this.#resourceDir))
      .filter((name) => name.startsWith(prefix))
      .map((name) => Number(name.slice(prefix.length)))
      .filter((each) => Number.isInteger(each) && each < revision)
      .toSorted((a, b) => b - a);
    for (const each of revisions)
      if (await this.#read(`${this.#resourceDir}/${prefix}${each}/${target}-pod.yaml`)) return each;
    return undefined;
  }

  async #read(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const text = await this.#disk.read(path);
    if (text === undefined) return undefined;
    const value: unknown = parse(text, { maxAliasCount: 100, logLevel: "silent" });
    return isPlainObject(value) ? value : undefined;
  }

  get #manifest(): string {
    return `${this.#manifestsDir}/${target}-pod.yaml`;
  }

  get #lastKnownGood(): string {
    return `${this.#resourceDir}/${target}-last-known-good`;
  }
}

function readFlags(args: readonly string[]): (name: string) => string {
  const { values } = parseArgs({ args: [...args], options: {}, strict: false, allowPositionals: true });
  return (name) => {
    const value = values[name];
    if (typeof value !== "string" || value === "") throw new Error(`--${name} is required`);
    return value;
  };
}
