import assert from "node:assert/strict";
import { join } from "node:path";
import { type Clock, listAt, numberAt, silentLogger, stringAt, valueAt } from "@keelson/base";
import type { Cache, Controller } from "@keelson/controller";
import { type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { installer } from "../installer/controller.ts";
import { install } from "../node/install.ts";
import { NodeDisk } from "../node/node-disk.ts";
import type { OperatorParts } from "../operator/operator-controller.ts";
import { OperatorEvents } from "../operator/operator-events.ts";
import { OperatorResource, operatorKey } from "../operator/operator-resource.ts";
import { revisions } from "../revisions/controller.ts";
import { isReady, numberOf } from "../revisions/plan-revision.ts";
import { nodeStatuses } from "../static-pod/node-status.ts";
import type { StaticPod } from "../static-pod/static-pod.ts";
import { StoredObjects } from "./stored-objects.ts";

const namespace = "turbine";
const none = { optionalConfigMaps: [], optionalSecrets: [] };
const signal = new AbortController().signal;
export const crashNodes = ["a", "b", "c"] as const;

const pod: StaticPod = {
  resource: resources.etcds,
  name: "turbine",
  namespace,
  revisioned: { configMaps: [{ name: "turbine-pod" }, { name: "config" }], secrets: [{ name: "key" }] },
  live: { configMaps: [], secrets: [] },
  certDir: "turbine-certs",
  operatorImage: "operator",
  installerCommand: ["installer"],
  prunerCommand: ["pruner"],
};

/** Thrown to stop a simulated process at its current step. */
class Crash extends Error {}

/** Counts the steps of a process and crashes the process at a given step. */
class Fuse {
  #left: number | undefined;

  set(steps: number | undefined): void {
    this.#left = steps;
  }

  step(): void {
    if (this.#left !== undefined && --this.#left < 0) throw new Crash("the process ended");
  }
}

/**
 * Simulates three nodes with disks in a real directory. The revision controller, the installer controller and the installer are
 * the production code. Processes crash at given steps. The invariants are checked after every step.
 */
export class CrashingRollout {
  readonly #store = new StoredObjects();
  readonly #root: string;
  readonly #clock: Clock;
  #nowMs = Date.parse("2026-11-24T12:00:00Z");
  readonly #operatorFuse = new Fuse();
  #controllers: readonly Controller<OperatorParts>[] = [];
  #parts: OperatorParts;
  /** Content of each revision at the time when it became ready. The content must not change and the number must not be reused. */
  readonly #contents = new Map<number, string>();
  readonly #highest = new Map<string, number>();
  #latest = 0;

  private constructor(root: string) {
    this.#root = root;
    this.#clock = {
      now: () => new Date(this.#nowMs),
      monotonicMs: () => this.#nowMs,
      sleep: async (ms) => {
        this.#nowMs += ms;
      },
    };
    this.#parts = this.#startOperator();
  }

  static async create(root: string): Promise<CrashingRollout> {
    const rollout = new CrashingRollout(root);
    const nodes = crashNodes.map((nodeName) => ({ nodeName }));
    const metadata = { name: operatorKey.name };
    const configuration = {
      apiVersion: "v1",
      kind: "Etcd",
      metadata,
      spec: {},
      status: { nodeStatuses: nodes },
    };
    await rollout.#store.create(pod.resource, configuration);
    const manifest = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "turbine", labels: { revision: "REVISION" } },
      spec: {},
    };
    await rollout.#put("ConfigMap", "turbine-pod", { "pod.yaml": JSON.stringify(manifest) });
    await rollout.change(0);
    return rollout;
  }

  /** Writes the same `speed` to the ConfigMap `config` and to the Secret `key`. A revision must contain equal values of both. */
  async change(speed: number): Promise<void> {
    await this.#put("ConfigMap", "config", { "config.yaml": `speed ${speed} `.repeat(2_000) });
    await this.#put("Secret", "key", { key: Buffer.from(`speed ${speed}`).toString("base64") });
  }

  pass(seconds: number): void {
    this.#nowMs += seconds * 1_000;
  }

  /** Calls every controller of the operator once. The operator crashes after `writes` writes. */
  async reconcile(writes?: number): Promise<void> {
    this.#operatorFuse.set(writes);
    try {
      for (const { reconcile } of this.#controllers)
        await reconcile(operatorKey, this.#parts, { signal, logger: silentLogger } as never).catch(
          (error) => {
            if (error instanceof Crash) throw error;
          },
        );
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.#parts = this.#startOperator();
    }
    this.#operatorFuse.set(undefined);
    await this.check();
  }

  /** Runs the installer pods of a node. Each pod crashes after `accesses` disk accesses. */
  async runInstallers(node: string, accesses?: number): Promise<void> {
    const disk = this.#disk(node, accesses);
    for (const each of this.#pods("installer", node)) {
      if (phaseOf(each) !== undefined) continue;
      const arg = listAt(listAt(each, "spec", "containers")[0], "args").find((text) =>
        String(text).startsWith("--revision="),
      );
      const revision = Number(String(arg).slice("--revision=".length));
      const options = {
        revision,
        namespace,
        pod: "turbine-pod",
        resourceDir: "/resources",
        podManifestDir: "/manifests",
        revisioned: { ...none, configMaps: ["config"], secrets: ["key"] },
        certs: { ...none, configMaps: [], secrets: [] },
      };
      const deps = {
        api: this.#store,
        disk,
        node,
        report: () => undefined,
        clock: this.#clock,
        logger: silentLogger,
      };
      const exitCode = await install(options, deps as never, signal).then(
        () => 0,
        () => 1,
      );
      const terminated = { exitCode, message: exitCode === 0 ? "" : "killed" };
      await this.#setStatus(each, {
        phase: exitCode === 0 ? "Succeeded" : "Failed",
        containerStatuses: [{ name: "installer", state: { terminated } }],
      });
      await this.check();
    }
  }

  /** Simulates the kubelet. Starts the pod of the manifest unless it already runs. */
  async kubelet(node: string): Promise<void> {
    const manifest = await this.#manifest(node);
    if (!manifest) return;
    const revision = stringAt(manifest, "metadata", "labels", "revision") ?? "";
    const name = `turbine-${node}`;
    const running = this.#store.peek(resources.pods, { namespace, name });
    if (running?.metadata.labels?.revision === revision && phaseOf(running) === "Running") return;
    await this.#store.delete(resources.pods, { namespace, name });
    const lastTransitionTime = this.#clock.now().toISOString();
    await this.#store.create(resources.pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        namespace,
        name,
        labels: { app: "turbine", revision },
        creationTimestamp: lastTransitionTime,
      },
      spec: { nodeName: node },
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime }] },
    } as KubeObject);
  }

  /** Simulates a reboot. The node's static pod must start again. */
  async reboot(node: string): Promise<void> {
    await this.#store.delete(resources.pods, { namespace, name: `turbine-${node}` });
  }

  /** Simulates the pruner. Deletes the status of old revisions and their copies. */
  async prune(): Promise<void> {
    const used = nodeStatuses(this.#configuration).flatMap(({ currentRevision, targetRevision }) => [
      currentRevision,
      targetRevision,
    ]);
    for (const { metadata } of this.#store.peekAll(resources.configMaps, namespace)) {
      const revision = numberOf(metadata.name);
      if (revision === 0 || revision >= this.#latest || used.includes(revision)) continue;
      for (const name of ["revision-status", "turbine-pod", "config"])
        await this.#store.delete(resources.configMaps, { namespace, name: `${name}-${revision}` });
      await this.#store.delete(resources.secrets, { namespace, name: `key-${revision}` });
    }
  }

  /** True if every node runs the latest revision and this revision has the content of the sources. */
  get isConverged(): boolean {
    const { nodes } = this;
    return (
      this.#contents.get(this.#latest) === this.#contentOf("") &&
      nodes.every(
        ({ currentRevision, targetRevision }) => currentRevision === this.#latest && targetRevision === 0,
      )
    );
  }

  get nodes() {
    return nodeStatuses(this.#configuration);
  }

  /** Asserts that all invariants hold. */
  async check(): Promise<void> {
    for (const status of this.#store.peekAll(resources.configMaps, namespace).filter(isReady)) {
      const revision = numberOf(status.metadata.name);
      const content = this.#contentOf(`-${revision}`);
      const before = this.#contents.get(revision);
      if (before === undefined) {
        const newest = Math.max(0, ...this.#contents.keys());
        assert.ok(revision > newest, `revision ${revision} was made after ${newest}`);
        this.#contents.set(revision, content);
      } else assert.equal(content, before, `revision ${revision} has changed`);
    }
    const latest = numberAt(this.#configuration, "status", "latestAvailableRevision") ?? 0;
    assert.ok(latest >= this.#latest, "the latest revision has decreased");
    assert.ok(latest === 0 || this.#contents.has(latest), `revision ${latest} is published and not ready`);
    this.#latest = latest;
    const changing = this.nodes.filter(({ targetRevision }) => targetRevision !== 0);
    assert.ok(changing.length <= 1, "two nodes are in transition");
    for (const { nodeName, currentRevision } of this.nodes) {
      assert.ok(currentRevision >= (this.#highest.get(nodeName) ?? 0), `${nodeName} went back`);
      this.#highest.set(nodeName, currentRevision);
      await this.#checkDisk(nodeName);
    }
  }

  /**
   * Checks that the revision of the node's manifest is complete on disk. All files of the revision must exist with the content
   * that the revision had when it became ready.
   */
  async #checkDisk(node: string): Promise<void> {
    const manifest = await this.#manifest(node);
    if (!manifest) return;
    const revision = Number(stringAt(manifest, "metadata", "labels", "revision"));
    const disk = this.#disk(node);
    const directory = `/resources/turbine-pod-${revision}`;
    const read = async (path: string) => (await disk.readFile(`${directory}/${path}`)) ?? "absent";
    const found = JSON.stringify([
      await read("configmaps/config/config.yaml"),
      await read("secrets/key/key"),
    ]);
    assert.equal(found, this.#contents.get(revision), `${node} runs half of revision ${revision}`);
  }

  async #manifest(node: string): Promise<unknown> {
    const text = await this.#disk(node).readFile("/manifests/turbine-pod.yaml");
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Returns the content of a revision's copies. With an empty suffix, returns the content of the sources. */
  #contentOf(suffix: string): string {
    const config = this.#store.peek(resources.configMaps, { namespace, name: `config${suffix}` });
    const key = this.#store.peek(resources.secrets, { namespace, name: `key${suffix}` });
    const secret = Buffer.from(stringAt(key, "data", "key") ?? "", "base64").toString();
    return JSON.stringify([stringAt(config, "data", "config.yaml") ?? "absent", secret]);
  }

  get #configuration(): KubeObject {
    const found = this.#store.peek(pod.resource, operatorKey);
    assert.ok(found);
    return found;
  }

  /** Simulates a process start. Only the state in the API survives. */
  #startOperator(): OperatorParts {
    const store = this.#store;
    const fuse = this.#operatorFuse;
    const api = new Proxy(store, {
      get(target, member) {
        const found: unknown = Reflect.get(target, member);
        if (typeof found !== "function") return found;
        const isWrite = ["create", "apply", "mergePatch", "jsonPatch", "delete"].includes(String(member));
        return async (...args: unknown[]) => {
          if (isWrite) fuse.step();
          return Reflect.apply(found, target, args);
        };
      },
    }) as unknown as KubeApi;
    const cache = {
      find: store.peek.bind(store),
      known: (...args: Parameters<StoredObjects["peek"]>) => ({ object: store.peek(...args) }),
      informer: (resource: typeof resources.pods) => ({ list: () => store.peekAll(resource, namespace) }),
    } as unknown as Cache;
    this.#controllers = [revisions({ pod }), installer({ pod, minReadyMs: 1_000 })];
    const clock = this.#clock;
    return {
      api,
      cache,
      clock,
      operator: new OperatorResource({ api, cache, clock, resource: pod.resource, instance: "turbine" }),
      events: new OperatorEvents({ record: () => undefined }, { namespace, name: "operator" }),
    };
  }

  #disk(node: string, accesses?: number): NodeDisk {
    const fuse = new Fuse();
    fuse.set(accesses);
    return new NodeDisk((path) => {
      fuse.step();
      return join(this.#root, node, path);
    });
  }

  #pods(app: string, node: string): readonly KubeObject[] {
    return this.#store
      .peekAll(resources.pods, namespace)
      .filter((each) => each.metadata.labels?.app === app && stringAt(each, "spec", "nodeName") === node);
  }

  async #setStatus({ metadata: { name } }: KubeObject, status: object): Promise<void> {
    await this.#store.mergePatch(resources.pods, { namespace, name }, { status });
  }

  async #put(
    kind: "ConfigMap" | "Secret",
    name: string,
    data: Readonly<Record<string, string>>,
  ): Promise<void> {
    const resource = kind === "ConfigMap" ? resources.configMaps : resources.secrets;
    await this.#store.apply(resource, {
      apiVersion: "v1",
      kind,
      metadata: { namespace, name },
      data,
    } as KubeObject);
  }
}

function phaseOf(object: KubeObject): string | undefined {
  const phase = valueAt(object, "status", "phase");
  return typeof phase === "string" ? phase : undefined;
}
