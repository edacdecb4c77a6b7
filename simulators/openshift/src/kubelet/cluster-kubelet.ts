import { join } from "node:path";
import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { aborted, listAt, stringAt } from "@keelson/base";
import {
  type Controller,
  done,
  keyOf,
  keyText,
  type Predicate,
  type Result,
  watch,
  watchMapped,
  watchSource,
} from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { resources } from "../base/resources.ts";
import { recordEvent } from "../workload-context/record-event.ts";
import type { WorkloadContext } from "../workload-context/workload-context.ts";
import { writeStatus } from "../workload-context/write-status.ts";
import { directoryName } from "./containers/directory-name.ts";
import { respondsOnNode } from "./node-reachability.ts";
import { PodAddresses } from "./pod-addresses.ts";
import { lostStatus, podStatus } from "./pod-status.ts";
import { PodWorker } from "./pod-worker.ts";
import type { ImageRegistry } from "./processes/image-registry.ts";
import type { ImageRules } from "./processes/image-rules.ts";

const { pods, nodes } = resources;

export interface ClusterKubeletOptions {
  readonly cluster: LogicalCluster;
  readonly images: ImageRegistry;
  readonly imageRules?: ImageRules | undefined;
  /** Parent directory of the nodes' file systems. */
  readonly directory: string;
  readonly crashBackoffMs: number;
}

/**
 * Kubelets of all nodes in a cluster. They run the pods of ready nodes and write the pod statuses. A pod that does not change
 * uses memory but no timer.
 */
export class ClusterKubelet implements AsyncDisposable {
  readonly controller: Controller<WorkloadContext>;
  readonly #options: ClusterKubeletOptions;
  readonly #workers = new Map<string, PodWorker>();
  /**
   * UIDs of the pods that have a PodWorker, by pod key. One key can have several UIDs because a new pod can reuse the name of a
   * pod that is still terminating.
   */
  readonly #uids = new Map<string, Set<string>>();
  readonly #addresses = new PodAddresses();
  /** Queues a pod for reconciliation although its object has not changed. */
  #enqueue: (pod: ObjectKey) => void = () => undefined;
  #reserved = false;
  #closed = false;

  constructor(options: ClusterKubeletOptions) {
    this.#options = options;
    this.controller = {
      name: "kubelet",
      // Unlimited, because slow pod termination must not block other pods.
      concurrency: Number.POSITIVE_INFINITY,
      watches: [
        watch(pods, { where: ({ object }) => Boolean(stringAt(object, "spec", "nodeName")) }),
        watchMapped(nodes, podsOfNode, { where: readinessChanged }),
        watchSource(async (add, _context, signal) => {
          this.#enqueue = add;
          await aborted(signal);
        }),
      ],
      reconcile: (key, context) => this.#reconcile(key, context),
    };
  }

  /** Returns the worker of a running pod. Undefined if the pod has no worker. */
  workerOf({ metadata }: KubeObject): PodWorker | undefined {
    return this.#workers.get(metadata.uid ?? "");
  }

  /** Returns the host port that replaces `port` of the pod. Undefined if no real process of the pod listens on `port`. */
  hostPort(pod: KubeObject, port: number): number | undefined {
    for (const { state } of this.workerOf(pod)?.containers ?? []) {
      const found = state.kind === "running" ? state.run.hostPorts?.get(port) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  get images(): ImageRegistry {
    return this.#options.images;
  }

  /** Returns the directory of a node. @throws ContainerConfigError for an invalid node name */
  nodeDirectory(node: string): string {
    return join(this.#options.directory, "nodes", directoryName("nodeName", node));
  }

  /**
   * Stops all containers. The pod statuses in the API remain unchanged because a shutdown of the simulation does not terminate
   * pods.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop(disposalGraceMs)));
  }

  async #reconcile(key: ObjectKey, context: WorkloadContext): Promise<Result> {
    if (this.#closed) return done;
    this.#reserveAddresses(context);
    const pod = context.informer(pods).get(key);
    await this.#forgetOthers(keyText(key), pod);
    if (!pod) return done;
    const nodeName = stringAt(pod, "spec", "nodeName");
    if (!nodeName) return done;
    const node = context.informer(nodes).get({ name: nodeName });
    if (!node) {
      // Deletes the pod because its node was deleted.
      await context.delete(pods, pod, { gracePeriodSeconds: 0 });
      return done;
    }
    if (conditionStatus(node, "Ready") !== "True") {
      if (conditionStatus(pod, "Ready") === "True")
        await writeStatus(context, pods, pod, lostStatus(pod, context.clock.now()));
      return done;
    }
    if (pod.metadata.deletionTimestamp !== undefined) return this.#terminate(pod, context);
    const phase = stringAt(pod, "status", "phase");
    if (phase === "Succeeded" || phase === "Failed") return done;
    return this.#run(pod, node, context);
  }

  async #run(pod: KubeObject, node: KubeObject, context: WorkloadContext): Promise<Result> {
    const uid = pod.metadata.uid ?? "";
    const worker = this.#workers.get(uid) ?? this.#newWorker(pod, context);
    let shown = pod;
    if (listAt(pod, "status", "containerStatuses").length === 0)
      shown = await this.#show(shown, worker, node, context);
    const wait = await worker.advance(shown);
    if (this.#closed) return done;
    await this.#show(shown, worker, node, context);
    if (worker.finished) await worker.stop(0);
    return wait === undefined ? done : { requeueAfterMs: wait };
  }

  #newWorker(pod: KubeObject, context: WorkloadContext): PodWorker {
    const { uid = "" } = pod.metadata;
    const nodeDirectory = this.nodeDirectory(stringAt(pod, "spec", "nodeName") ?? "");
    // A function that refers to the pod would keep this version of the pod in memory.
    const podKey = keyOf(pod);
    const worker = new PodWorker(pod, {
      context,
      cluster: this.#options.cluster,
      images: this.#options.images,
      imageRules: this.#options.imageRules,
      responds: (guard, host, port) => respondsOnNode(context, guard, host, port),
      crashBackoffMs: this.#options.crashBackoffMs,
      nodeDirectory,
      podDirectory: join(nodeDirectory, "var/lib/kubelet/pods", uid),
      claimsDirectory: join(this.#options.directory, "volumes"),
      changed: () => this.#enqueue(podKey),
    });
    this.#workers.set(uid, worker);
    const key = keyText(pod.metadata);
    this.#uids.set(key, (this.#uids.get(key) ?? new Set()).add(uid));
    return worker;
  }

  async #show(
    pod: KubeObject,
    worker: PodWorker,
    node: KubeObject,
    context: WorkloadContext,
  ): Promise<KubeObject> {
    const addresses = listAt(node, "status", "addresses");
    const hostIP = stringAt(
      addresses.find((each) => stringAt(each, "type") === "InternalIP"),
      "address",
    );
    const podIP = this.#addresses.of(pod.metadata.uid ?? "", stringAt(pod, "status", "podIP"));
    const status = podStatus(pod, worker, { hostIP, podIP }, context.clock.now());
    const written = await writeStatus(context, pods, pod, status);
    // The cached object has no managed fields. Managed fields are a third of a pod's size.
    const cached = context.informer(pods).get(written.metadata);
    const isCurrent = cached?.metadata.resourceVersion === written.metadata.resourceVersion;
    worker.pod = cached && isCurrent ? cached : written;
    await this.#recordEvents(pod, written, worker, context);
    return written;
  }

  /** Records Events for pod starts and new failures. */
  async #recordEvents(
    before: KubeObject,
    after: KubeObject,
    worker: PodWorker,
    context: WorkloadContext,
  ): Promise<void> {
    const host = stringAt(after, "spec", "nodeName") ?? "";
    const reasonBefore = (name: string) =>
      stringAt(
        listAt(before, "status", "containerStatuses").find((each) => stringAt(each, "name") === name),
        "state",
        "waiting",
        "reason",
      );
    const event = { source: "kubelet", host } as const;
    for (const { name, state, image } of worker.containers) {
      if (state.kind !== "waiting" || state.reason === reasonBefore(name)) continue;
      if (state.reason === "CrashLoopBackOff") {
        await recordEvent(context, after, {
          ...event,
          type: "Warning",
          reason: "BackOff",
          message: state.message ?? "",
        });
      } else if (state.reason === "ErrImagePull") {
        const message = `Failed to pull image "${image}": ${state.message ?? ""}`;
        await recordEvent(context, after, { ...event, type: "Warning", reason: "Failed", message });
      } else if (state.reason === "ImagePullBackOff") {
        const message = `Back-off pulling image "${image}"`;
        await recordEvent(context, after, { ...event, type: "Normal", reason: "BackOff", message });
      }
    }
    if (
      stringAt(before, "status", "phase") === "Pending" &&
      stringAt(after, "status", "phase") === "Running"
    ) {
      const names = worker.containers.filter(({ role }) => role === "main").map(({ name }) => name);
      const message = `Started container ${names.join(", ")}`;
      await recordEvent(context, after, { ...event, type: "Normal", reason: "Started", message });
    }
  }

  async #terminate(pod: KubeObject, context: WorkloadContext): Promise<Result> {
    const worker = this.workerOf(pod);
    const node = context.informer(nodes).get({ name: stringAt(pod, "spec", "nodeName") ?? "" });
    if (worker && node) {
      worker.pod = pod;
      await worker.stop(worker.graceMs);
      if (pod.metadata.finalizers && pod.metadata.finalizers.length > 0)
        await this.#show(pod, worker, node, context);
    }
    await context.delete(pods, pod, { gracePeriodSeconds: 0 });
    return done;
  }

  /** Stops the containers and deletes the directories of earlier pods with this name. Keeps those of the pod `present`. */
  async #forgetOthers(key: string, present: KubeObject | undefined): Promise<void> {
    const uids = this.#uids.get(key);
    for (const uid of uids ?? []) {
      if (uid === present?.metadata.uid) continue;
      const worker = this.#workers.get(uid);
      this.#workers.delete(uid);
      uids?.delete(uid);
      await worker?.stop(0);
      await worker?.removeDirectory();
      this.#addresses.release(uid);
    }
    if (uids?.size === 0) this.#uids.delete(key);
  }

  /** Reserves the addresses of existing pods after a restart, before new pods receive addresses. */
  #reserveAddresses(context: WorkloadContext): void {
    if (this.#reserved) return;
    this.#reserved = true;
    for (const pod of context.informer(pods).list()) {
      const present = stringAt(pod, "status", "podIP");
      if (present) this.#addresses.of(pod.metadata.uid ?? "", present);
    }
  }
}

const disposalGraceMs = 1_000;

function podsOfNode(node: KubeObject, context: WorkloadContext): readonly ObjectKey[] {
  return context.informer(pods).by("node", node.metadata.name).map(keyOf);
}

const readinessChanged: Predicate = ({ type, object, before }) =>
  type !== "updated" || conditionStatus(before, "Ready") !== conditionStatus(object, "Ready");
