import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import type { Change, Informer } from "@keelson/controller";
import { occupiesNode, type PodDemand, podDemand } from "./pod-demand.ts";

/** Sums of the pods on one node. A scheduling decision reads only these sums, so its cost does not grow with the number of pods. */
export class NodeOccupancy {
  #pods = 0;
  readonly #owners = new Map<string, number>();
  readonly #ports = new Map<string, number>();
  readonly #requests = new Map<string, number>();

  /** Number of pods. */
  get pods(): number {
    return this.#pods;
  }

  /** Returns the number of pods with this owner. */
  siblings(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#owners.get(owner) ?? 0);
  }

  uses(hostPort: string): boolean {
    return this.#ports.has(hostPort);
  }

  /** Returns the requested amount of a resource. */
  requested(resource: string): number {
    return this.#requests.get(resource) ?? 0;
  }

  add(demand: PodDemand): void {
    this.#count(demand, 1);
  }

  remove(demand: PodDemand): void {
    this.#count(demand, -1);
  }

  #count({ owner, hostPorts, requests }: PodDemand, sign: 1 | -1): void {
    this.#pods += sign;
    if (owner !== undefined) add(this.#owners, owner, sign);
    for (const port of hostPorts) add(this.#ports, port, sign);
    for (const [name, amount] of requests) add(this.#requests, name, sign * amount);
  }
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  const sum = (sums.get(key) ?? 0) + amount;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

const empty = new NodeOccupancy();

/** Occupancy of all nodes. It follows an informer of pods, and includes pods with a binding in progress. */
export class ClusterOccupancy {
  readonly #nodes = new Map<string, NodeOccupancy>();
  /** Pods with a binding in progress, by node name. */
  readonly #binding = new Map<string, Set<KubeObject>>();

  constructor(pods: Pick<Informer, "subscribe">) {
    pods.subscribe((change) => this.#observe(change));
  }

  of(node: string): NodeOccupancy {
    return this.#nodes.get(node) ?? empty;
  }

  /** True if the binding of a pod is in progress. */
  get isBinding(): boolean {
    return this.#binding.size > 0;
  }

  /** Pods that are being bound to the node. */
  binding(node: string): Iterable<KubeObject> {
    return this.#binding.get(node) ?? [];
  }

  /** Counts a pod with a `nodeName` as bound until the result is disposed. */
  bind(pod: KubeObject): Disposable {
    const node = stringAt(pod, "spec", "nodeName") ?? "";
    const set = this.#binding.get(node) ?? new Set();
    this.#binding.set(node, set.add(pod));
    this.#add(pod);
    return {
      [Symbol.dispose]: () => {
        set.delete(pod);
        if (set.size === 0) this.#binding.delete(node);
        this.#remove(pod);
      },
    };
  }

  #observe({ type, object, before }: Change): void {
    if (before) this.#remove(before);
    if (type !== "deleted") this.#add(object);
  }

  #add(pod: KubeObject): void {
    const node = stringAt(pod, "spec", "nodeName");
    if (!node || !occupiesNode(pod)) return;
    let occupancy = this.#nodes.get(node);
    if (!occupancy) {
      occupancy = new NodeOccupancy();
      this.#nodes.set(node, occupancy);
    }
    occupancy.add(podDemand(pod));
  }

  #remove(pod: KubeObject): void {
    const node = stringAt(pod, "spec", "nodeName");
    const occupancy = node ? this.#nodes.get(node) : undefined;
    if (!node || !occupancy || !occupiesNode(pod)) return;
    occupancy.remove(podDemand(pod));
    if (occupancy.pods === 0) this.#nodes.delete(node);
  }
}
