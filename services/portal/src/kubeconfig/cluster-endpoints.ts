import { createHash } from "node:crypto";
import { Agent } from "node:https";
import type { Clock } from "@keelson/base";
import { type KubeEndpoint, kubeEndpoint } from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";

/** A cluster's API server with the connections that are kept open to it. */
export interface ClusterEndpoint extends KubeEndpoint {
  readonly agent: Agent;
}

const keptMs = 3_600_000;
const connectMs = 30_000;
/** Of the least recently used the connections are ended. */
const most = 500;

interface Kept {
  readonly endpoint: ClusterEndpoint;
  usedMs: number;
}

/**
 * Connections by kubeconfig, each kept for an hour after its last use. A kubeconfig that was renewed is another one, so
 * a rotation is heeded at once.
 */
export class ClusterEndpoints implements Disposable {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws Error where the cluster has no such kubeconfig yet; KubeError for one of no use */
  get({ openShiftCluster }: ClusterDocument, elevated: boolean): ClusterEndpoint {
    const { properties, name } = openShiftCluster;
    const kubeconfig = (elevated ? properties.aroServiceKubeconfig : properties.aroSREKubeconfig)?.reveal();
    if (kubeconfig === undefined) throw new Error(`cluster ${name} has no kubeconfig yet`);
    const address = properties.networkProfile.privateEndpointIp;
    const key = createHash("sha256").update(`${address} ${kubeconfig}`).digest("hex");
    const nowMs = this.#clock.monotonicMs();
    this.#forgetBefore(nowMs - keptMs);
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const kept = known ?? { endpoint: open(kubeconfig, address), usedMs: nowMs };
    kept.usedMs = nowMs;
    this.#kept.set(key, kept);
    return kept.endpoint;
  }

  [Symbol.dispose](): void {
    for (const key of this.#kept.keys()) this.#forget(key);
  }

  /** The least recently used come first. */
  #forgetBefore(limitMs: number): void {
    for (const [key, { usedMs }] of this.#kept)
      if (usedMs < limitMs || this.#kept.size >= most) this.#forget(key);
      else break;
  }

  #forget(key: string): void {
    this.#kept.get(key)?.endpoint.agent.destroy();
    this.#kept.delete(key);
  }
}

function open(kubeconfig: string, internalAddress: string | undefined): ClusterEndpoint {
  const endpoint = kubeEndpoint(kubeconfig, internalAddress);
  return {
    ...endpoint,
    agent: new Agent({ ...endpoint.tls, keepAlive: true, timeout: connectMs, maxFreeSockets: 8 }),
  };
}
